// @ts-check
// What does the shell of the page say, in English and in Korean? What the engine computes brings its own words.

/** @typedef {import('./format.mjs').Language} Language */

/** @type {readonly Language[]} */
export const LANGUAGES = ['en', 'ko'];

const EN = {
  site: 'rankproof lab',
  tagline: 'Everything is computed in this page. No file, text or id leaves your browser.',
  skip: 'Skip to the content',
  tabs: 'Pages of the lab',
  other_language: '한국어',
  theme: 'Colours',
  theme_auto: 'Colours: as the system',
  theme_light: 'Colours: light',
  theme_dark: 'Colours: dark',
  // the engine
  engine_starting: 'The engine is starting: Python is loaded into this page. You can read and paste meanwhile.',
  engine_progress: 'Loading the engine',
  engine_loaded: (/** @type {string} */ loaded, /** @type {string} */ total) => `${loaded} of ${total}`,
  engine_python: 'Starting Python',
  engine_ready: 'The engine is ready.',
  engine_failed: 'The engine could not start.',
  engine_stopped: 'The engine stopped, and is starting again.',
  engine_again: 'Start it again',
  engine_foot: (/** @type {string} */ version, /** @type {string} */ python) => `Computed by rankproof ${version} on Python ${python}, in this page`,
  engine_hash: 'engine sha256',
  no_network: 'After loading, the engine has no network.',
  about: 'About',
  // answers
  working: 'Calculating…',
  stop: 'Stop',
  once_more: 'Calculate again',
  stopped: 'The calculation was stopped.',
  wrong_input: 'This cannot be calculated yet',
  wrong_engine: 'Something went wrong in the page itself',
  wrong_engine_hint: 'This is a fault of rankproof, not of your data. Your text is still there.',
  more_faults: (/** @type {string} */ count) => `and ${count} more`,
  fault_place: (/** @type {string} */ line, /** @type {string} */ column) => (column ? `line ${line}, column ${column}` : `line ${line}`),
  fault_query: (/** @type {string} */ id) => `query ${id}`,
  fault_doc: (/** @type {string} */ id) => `document ${id}`,
  fault_expected: (/** @type {string} */ text) => `expected: ${text}`,
  fault_hint: (/** @type {string} */ text) => `hint: ${text}`,
  warnings: 'Noticed while reading',
  // files that are given
  open: 'Open…',
  undo: 'Undo',
  redo: 'Redo',
  clear: 'Clear',
  size: (/** @type {string} */ size, /** @type {string} */ most) => `${size} of at most ${most}`,
  binary: (/** @type {string} */ name, /** @type {string} */ size) => `${name}, ${size}, packed`,
  too_large: (/** @type {string} */ size, /** @type {string} */ bytes) => `is ${size} (${bytes} bytes)`,
  unreadable: (/** @type {string} */ why) => `could not be read: ${why}`,
  too_large_most: (/** @type {string} */ most) => `${most} at most`,
  // tables and charts
  table: 'Table',
  as_table: 'Show as a table',
  filter: 'Filter',
  rows: (/** @type {string} */ count) => `${count} rows`,
  rows_of: (/** @type {string} */ count, /** @type {string} */ total) => `${count} of ${total} rows`,
  rows_shown: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ total) => `rows ${from}–${to} of ${total}`,
  pages: 'Pages of the table',
  previous: 'Previous 100',
  next: 'Next 100',
  nothing_found: 'No row holds this text.',
  undefined: 'undefined',
  close: 'Close',
};

/** @type {typeof EN} */
const KO = {
  site: 'rankproof 실험실',
  tagline: '모든 계산은 이 페이지 안에서 합니다. 파일, 글, ID는 브라우저 밖으로 나가지 않습니다.',
  skip: '본문으로 건너뛰기',
  tabs: '실험실의 페이지',
  other_language: 'English',
  theme: '색상',
  theme_auto: '색상: 시스템 설정',
  theme_light: '색상: 밝게',
  theme_dark: '색상: 어둡게',
  engine_starting: '엔진을 준비하고 있습니다. 이 페이지에 Python을 불러오는 동안 읽거나 붙여 넣을 수 있습니다.',
  engine_progress: '엔진 불러오기',
  engine_loaded: (loaded, total) => `${total} 중 ${loaded}`,
  engine_python: 'Python을 시작하는 중',
  engine_ready: '엔진이 준비되었습니다.',
  engine_failed: '엔진을 시작하지 못했습니다.',
  engine_stopped: '엔진이 멈추어 다시 시작하고 있습니다.',
  engine_again: '다시 시작',
  engine_foot: (version, python) => `이 페이지 안에서 계산: rankproof ${version}, Python ${python}`,
  engine_hash: '엔진 sha256',
  no_network: '불러온 뒤에는 엔진이 네트워크를 쓰지 못합니다.',
  about: '정보',
  working: '계산하는 중…',
  stop: '멈추기',
  once_more: '다시 계산',
  stopped: '계산을 멈추었습니다.',
  wrong_input: '아직 계산할 수 없습니다',
  wrong_engine: '페이지 자체에 문제가 생겼습니다',
  wrong_engine_hint: '데이터가 아니라 rankproof의 잘못입니다. 입력한 글은 그대로 있습니다.',
  more_faults: (count) => `그 밖에 ${count}개`,
  fault_place: (line, column) => (column ? `${line}행 ${column}열` : `${line}행`),
  fault_query: (id) => `질의 ${id}`,
  fault_doc: (id) => `문서 ${id}`,
  fault_expected: (text) => `기대한 것: ${text}`,
  fault_hint: (text) => `도움말: ${text}`,
  warnings: '읽으면서 알게 된 점',
  open: '열기…',
  undo: '되돌리기',
  redo: '다시 하기',
  clear: '비우기',
  size: (size, most) => `${size} / 최대 ${most}`,
  binary: (name, size) => `${name}, ${size}, 압축됨`,
  too_large: (size, bytes) => `크기가 ${size}(${bytes}바이트)입니다`,
  unreadable: (why) => `읽을 수 없습니다: ${why}`,
  too_large_most: (most) => `최대 ${most}`,
  table: '표',
  as_table: '표로 보기',
  filter: '필터',
  rows: (count) => `${count}행`,
  rows_of: (count, total) => `전체 ${total}행 중 ${count}행`,
  rows_shown: (from, to, total) => `전체 ${total}행 중 ${from}–${to}행`,
  pages: '표의 페이지',
  previous: '이전 100개',
  next: '다음 100개',
  nothing_found: '이 글이 들어 있는 행이 없습니다.',
  undefined: '정의되지 않음',
  close: '닫기',
};

export const TEXTS = { en: EN, ko: KO };

/**
 * Return the texts of a language.
 * @param {Language} language
 * @returns {typeof EN}
 */
export function texts(language) {
  return TEXTS[language];
}

/**
 * Return the language that a list of preferred ones asks for; English where it asks for none that is spoken here.
 * @param {readonly string[]} preferred
 * @returns {Language}
 */
export function languageOf(preferred) {
  const known = preferred.map((one) => one.split('-')[0].toLowerCase()).find((one) => LANGUAGES.some((own) => own === one));
  return known === 'ko' ? 'ko' : 'en';
}
