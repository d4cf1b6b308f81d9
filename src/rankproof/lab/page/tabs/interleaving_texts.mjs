// @ts-check
// What does the tab of interleaving say?

const EN = {
  given: 'Two rankings',
  source: 'Where the rankings come from',
  own: 'Two lists of my own',
  example: 'The example',
  a: 'List A, a document a line',
  b: 'List B, a document a line',
  grades: 'What users want: document and grade, a line each',
  query: 'Query',
  left: 'Left run',
  right: 'Right run',
  method: 'Method',
  k: 'Places shown',
  seed: 'Seed',
  seed_hint: 'decides every coin',
  flip: 'Flip the coins again',
  model: 'Simulated users',
  list: (/** @type {string} */ user) => `What user ${user} sees`,
  list_hint: 'Click what this user would click. Click again to take it back.',
  picked: (/** @type {string} */ team) => `picked by ${team}`,
  empty: 'No place can be filled fairly: a list ends before the first place that a ranking might be unable to fill.',
  next: 'Next user',
  simulate: (/** @type {string} */ count) => `Let ${count} simulated users click`,
  again: 'Start over',
  rankings: 'The two rankings',
};

/** @type {typeof EN} */
const KO = {
  given: '두 순위',
  source: '순위를 가져올 곳',
  own: '직접 쓴 목록',
  example: '예제',
  a: '목록 A, 한 줄에 문서 하나',
  b: '목록 B, 한 줄에 문서 하나',
  grades: '사용자가 원하는 것: 한 줄에 문서와 등급',
  query: '질의',
  left: '왼쪽 실행',
  right: '오른쪽 실행',
  method: '방법',
  k: '보여 줄 자리 수',
  seed: '시드',
  seed_hint: '모든 동전을 정함',
  flip: '동전 다시 던지기',
  model: '모의 사용자',
  list: (user) => `사용자 ${user}에게 보이는 목록`,
  list_hint: '이 사용자라면 누를 문서를 누르십시오. 다시 누르면 취소합니다.',
  picked: (team) => `${team}의 선택`,
  empty: '공정하게 채울 수 있는 자리가 없습니다. 목록은 어느 한쪽이 채우지 못할 수 있는 첫 자리 앞에서 끝납니다.',
  next: '다음 사용자',
  simulate: (count) => `모의 사용자 ${count}명의 클릭`,
  again: '처음부터',
  rankings: '두 순위 보기',
};

export const TEXTS = { en: EN, ko: KO };
