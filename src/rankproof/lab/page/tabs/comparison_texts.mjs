// @ts-check
// What does the tab that compares searches say?

/** @typedef {import('../format.mjs').Language} Language */

const EN = {
  what: 'Two classic searches and their fusion answer the same queries over the same corpus, and are measured with the same judgments, rules and k. BM25 looks for the words of the query, rare ones counting most. LSA compares directions of meaning that it finds in the corpus itself. RRF adds up what each document gets for its rank in both.',
  idea: 'Change one thing and hold the rest: then a difference is of that one thing. Whether it is more than chance, the interval and p say; where it comes from, the single queries do.',
  given: 'What is searched',
  data: 'Data',
  example: 'Packaged example',
  own: 'Your own',
  own_hint: 'Documents and queries: JSON lines, a JSON list, CSV or TSV with a header, or TREC, each with an id and a text. Judgments: TREC qrels or JSON. Paste, open or drop each.',
  corpus: 'Documents',
  queries: 'Queries',
  qrels: 'Judgments (qrels)',
  start: 'Begin with the example',
  kept: 'Nothing leaves this page and nothing is kept: closing it forgets your files.',
  too_large_hint: 'the command line has no limit: rankproof experiment FILE',
  k: 'k',
  stop: 'Stop',
  results: 'Results',
  empty: 'Give documents, queries and judgments, and the comparison appears here.',
  more: 'Intervals and p are being calculated…',
  many: 'Of so much, the rest takes longer: you can stop it at any time.',
  calculate: 'Calculate the rest',
  open_query: 'open this query',
  query: (/** @type {string} */ id) => `Query ${id}`,
  previous: 'Previous query',
  next: 'Next query',
};

/** @type {typeof EN} */
const KO = {
  what: '잘 알려진 두 검색과 그 융합이 같은 말뭉치에서 같은 질의에 답하고, 같은 판정과 규칙과 k로 잽니다. BM25는 질의의 단어를 찾되 드문 단어를 크게 셉니다. LSA는 말뭉치에서 스스로 찾은 의미의 방향을 비교합니다. RRF는 문서가 두 순위에서 자리에 따라 얻는 점수를 더합니다.',
  idea: '하나만 바꾸고 나머지를 그대로 두면, 차이는 바꾼 그 하나에서 옵니다. 우연보다 큰 차이인지는 구간과 p가, 어디에서 온 차이인지는 질의 하나하나가 말해 줍니다.',
  given: '검색할 데이터',
  data: '데이터',
  example: '패키지 예제',
  own: '내 데이터',
  own_hint: '문서와 질의는 ID와 글이 있는 JSON Lines, JSON 목록, 머리줄이 있는 CSV나 TSV, 또는 TREC이며, 판정은 TREC qrels나 JSON입니다. 하나씩 붙여 넣거나 열거나 끌어다 놓으세요.',
  corpus: '문서',
  queries: '질의',
  qrels: '판정 (qrels)',
  start: '예제에서 시작하기',
  kept: '아무것도 이 페이지 밖으로 나가거나 남지 않습니다. 페이지를 닫으면 파일은 사라집니다.',
  too_large_hint: '명령줄에는 제한이 없습니다: rankproof experiment FILE',
  k: 'k',
  stop: '멈추기',
  results: '결과',
  empty: '문서, 질의, 판정을 넣으면 여기에 비교 결과가 나타납니다.',
  more: '구간과 p를 계산하고 있습니다…',
  many: '데이터가 많아 나머지를 계산하는 데 시간이 더 걸립니다. 언제든 멈출 수 있습니다.',
  calculate: '나머지 계산',
  open_query: '이 질의 열기',
  query: (id) => `질의 ${id}`,
  previous: '이전 질의',
  next: '다음 질의',
};

export const TEXTS = { en: EN, ko: KO };

/**
 * Return the texts of a language.
 * @param {Language} language
 * @returns {typeof EN}
 */
export function comparisonTexts(language) {
  return TEXTS[language];
}
