// @ts-check
// What is this page, what does it compute with, what does it send and keep, and whose work is in it?

import { answered } from '../answered.mjs';
import { dateText, numberText } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { renderPage } from '../render.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const EN = {
  nothing_leaves: 'What leaves this page: nothing',
  policy: 'The page may load its own files and nothing else: a content policy, which the browser enforces, forbids every other address, in the page and in the engine.',
  cut_off: 'The engine is Python in a worker. Once it is loaded, what could reach a network is taken from it.',
  not_kept: 'No file, text or id is stored, and none is in the address: settings only. Closing the page forgets all. Where the page works offline, the browser keeps the files of the page itself.',
  engine: 'The engine in this page',
  still: 'The engine is still starting.',
  rankproof: 'rankproof',
  python: 'Python',
  pyodide: 'Pyodide',
  sha256: 'sha256 of engine.zip',
  formulas: 'formulas of the lab',
  dated: (/** @type {string} */ version, /** @type {string} */ date) => `${version}, ${date}`,
  started: 'started in',
  seconds: (/** @type {string} */ seconds) => `${seconds} s`,
  same_code: 'engine.zip holds the Python files of the rankproof that serves this page: the command line and the page compute with the same code.',
  licences: 'Licences',
  licences_says: 'rankproof is licensed under Apache-2.0. The page ships works of others, whose licences are here in full:',
  licences_engine: 'Python, Pyodide and lit-html',
  licences_charts: 'Vega and what it is made of',
};

/** @type {typeof EN} */
const KO = {
  nothing_leaves: '이 페이지 밖으로 나가는 것: 없음',
  policy: '페이지는 자신의 파일만 불러올 수 있습니다. 브라우저가 지키는 콘텐츠 정책이 페이지와 엔진에서 다른 모든 주소를 막습니다.',
  cut_off: '엔진은 워커 안의 Python입니다. 불러온 다음에는 네트워크에 닿을 수 있는 것을 모두 없앱니다.',
  not_kept: '파일, 글, ID는 저장하지 않으며 주소에도 넣지 않습니다. 주소에는 설정만 있습니다. 페이지를 닫으면 모두 사라집니다. 오프라인에서 열 수 있는 곳에서는 브라우저가 페이지 자체의 파일을 보관합니다.',
  engine: '이 페이지의 엔진',
  still: '엔진을 아직 준비하고 있습니다.',
  rankproof: 'rankproof',
  python: 'Python',
  pyodide: 'Pyodide',
  sha256: 'engine.zip의 sha256',
  formulas: '실험실의 계산식',
  dated: (version, date) => `${version}, ${date}`,
  started: '준비 시간',
  seconds: (seconds) => `${seconds}초`,
  same_code: 'engine.zip에는 이 페이지를 제공하는 rankproof의 Python 파일이 들어 있습니다. 명령줄과 페이지는 같은 코드로 계산합니다.',
  licences: '라이선스',
  licences_says: 'rankproof의 라이선스는 Apache-2.0입니다. 페이지에 들어 있는 다른 저작물의 라이선스 전문은 다음과 같습니다.',
  licences_engine: 'Python, Pyodide, lit-html',
  licences_charts: 'Vega와 그 구성 요소',
};

export const TEXTS = { en: EN, ko: KO };

/** @type {import('./tabs.mjs').Tab} */
export const about = {
  id: 'about',
  title: { en: 'About', ko: '정보' },
  heading: { en: 'About this lab', ko: '이 실험실에 대하여' },
  intro: {
    en: 'What the page computes with, by which rules, and whose work is in it.',
    ko: '이 페이지가 무엇으로, 어떤 규칙에 따라 계산하며, 누구의 저작물이 들어 있는지 설명합니다.',
  },
  settings: {},
  view,
};

/** @param {Context} context */
function view(context) {
  const { language, engine } = context;
  const t = TEXTS[language];
  const told = context.ask('about', {});
  return html`<section><h2>${t.nothing_leaves}</h2><ul><li>${t.policy}</li><li>${t.cut_off}</li><li>${t.not_kept}</li></ul></section>
    <section><h2>${t.engine}</h2>${engine ? parts(engine, told.result?.formulas, language) : html`<p class="quiet">${t.still}</p>`}<p>${t.same_code}</p></section>
    ${answered(told, language, ({ page }) => renderPage(page, language))}
    <section><h2>${t.licences}</h2><p>${t.licences_says}</p>
      <ul><li><a href="vendor/LICENSES.txt">${t.licences_engine}</a></li><li><a href="vendor/LICENSES-charts.txt">${t.licences_charts}</a></li></ul></section>`;
}

/**
 * @param {import('../engine.mjs').Info} engine
 * @param {{version: string, date: string} | undefined} formulas
 * @param {import('../format.mjs').Language} language
 */
function parts(engine, formulas, language) {
  const t = TEXTS[language];
  const known = [
    [t.rankproof, engine.rankproof],
    [t.python, engine.python],
    [t.pyodide, engine.pyodide],
    [t.sha256, html`<code>${engine.sha256}</code>`],
    [t.formulas, formulas ? t.dated(formulas.version, dateText(formulas.date, language)) : nothing],
    [t.started, engine.milliseconds ? t.seconds(numberText(engine.milliseconds / 1000, language, 1)) : nothing],
  ];
  return html`<dl class="known">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
