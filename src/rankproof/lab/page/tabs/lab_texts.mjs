// @ts-check
// What does the tab of lab files say?

/** @typedef {import('../format.mjs').Language} Language */

const EN = {
  given: 'What is evaluated',
  input: 'Kind of input',
  one: 'One file',
  runs: 'Judgments and runs',
  text: 'Judgments with both rankings, as JSON or CSV',
  qrels: 'Judgments (qrels)',
  before: 'Run before',
  after: 'Run after (may be left out)',
  drop_one: 'Paste, or drop a file here.',
  drop_runs: 'Paste or drop each file: TREC, CSV or JSON, gzip too. Three dropped together are told apart by their names.',
  sample_json: 'Sample JSON',
  sample_csv: 'Sample CSV',
  kept: 'Nothing is kept: closing the page forgets it.',
  too_many: 'are too many: judgments with one run or two',
  too_large_hint: 'the command line has no limit: rankproof rerank FILE',
  k: 'Cutoff K',
  contract: 'Contract',
  rules: 'The rules of this contract, in words',
  calculate: 'Calculate',
  calculate_hint: 'Numbers follow what you type; Ctrl+Enter calculates at once.',
  results: 'Results',
  coming: 'Intervals and p are being calculated…',
  test: 'Calculate intervals and p (up to a minute)',
  empty: 'Paste or open judgments and rankings, and the comparison appears here.',
  empty_runs: 'Give the judgments and at least one run, and the numbers appear here.',
  take_away: 'Take it away',
  json: 'JSON',
  csv: 'CSV',
  report: 'HTML report',
  with_care: 'These files hold your query and document ids: store and share them with care.',
  open_query: 'open this query',
  explain_value: 'explain this value',
  query: (/** @type {string} */ id) => `Query ${id}`,
  previous: 'Previous query',
  next: 'Next query',
  explain: 'How a value comes about',
  run: 'Run',
  measure: 'Measure',
};

/** @type {typeof EN} */
const KO = {
  given: '평가할 데이터',
  input: '입력 종류',
  one: '파일 하나',
  runs: '판정과 실행',
  text: '판정과 두 순위를 담은 JSON 또는 CSV',
  qrels: '판정 (qrels)',
  before: '리랭킹 전 실행',
  after: '리랭킹 후 실행 (생략 가능)',
  drop_one: '붙여 넣거나 파일을 여기에 놓으세요.',
  drop_runs: '파일을 하나씩 붙여 넣거나 놓으세요. TREC, CSV, JSON을 읽고, gzip도 됩니다. 세 개를 함께 놓으면 이름으로 구별합니다.',
  sample_json: '예시 JSON',
  sample_csv: '예시 CSV',
  kept: '아무것도 남지 않습니다. 페이지를 닫으면 사라집니다.',
  too_many: '파일이 너무 많습니다: 판정과 실행 한두 개',
  too_large_hint: '명령줄에는 제한이 없습니다: rankproof rerank FILE',
  k: '컷오프 K',
  contract: '계약',
  rules: '이 계약의 규칙을 말로 풀면',
  calculate: '계산',
  calculate_hint: '입력하는 대로 계산합니다. Ctrl+Enter를 누르면 바로 계산합니다.',
  results: '결과',
  coming: '구간과 p를 계산하고 있습니다…',
  test: '구간과 p 계산하기 (길면 1분)',
  empty: '판정과 순위를 붙여 넣거나 열면 여기에 비교 결과가 나타납니다.',
  empty_runs: '판정과 실행을 하나 이상 넣으면 여기에 숫자가 나타납니다.',
  take_away: '내려받기',
  json: 'JSON',
  csv: 'CSV',
  report: 'HTML 보고서',
  with_care: '이 파일에는 질의와 문서 ID가 들어 있습니다. 보관하고 나눌 때 조심하세요.',
  open_query: '이 질의 열기',
  explain_value: '이 값 설명 보기',
  query: (id) => `질의 ${id}`,
  previous: '이전 질의',
  next: '다음 질의',
  explain: '값이 나오는 과정',
  run: '실행',
  measure: '지표',
};

export const TEXTS = { en: EN, ko: KO };

/**
 * Return the texts of a language.
 * @param {Language} language
 * @returns {typeof EN}
 */
export function labTexts(language) {
  return TEXTS[language];
}
