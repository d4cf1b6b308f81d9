// @ts-check
// What do the tabs that teach have in common: a lesson to read at once, and a query, a method and k to set?

import { answered } from '../answered.mjs';
import { choice, number } from '../controls.mjs';
import { printable } from '../format.mjs';
import { html } from '../lit.mjs';
import { renderPage } from '../render.mjs';

/** @typedef {import('../format.mjs').Language} Language */
/** @typedef {import('./tabs.mjs').Context} Context */

/** As deep as the example goes. */
const DEEPEST = 50;
const METHODS = ['bm25', 'lsa', 'rrf'];

const EN = {
  what: 'What it is',
  idea: 'The idea',
  formula: 'The formula',
  try: 'Try it',
  query: 'Query',
  method: 'Method',
  k: 'k',
  bm25: 'BM25 (words)',
  lsa: 'LSA (meaning)',
  rrf: 'RRF (both, fused)',
  data: 'The corpus is the packaged example: short articles on workplace safety in Korean and English. Queries and sources stay in their language.',
};

/** @type {typeof EN} */
const KO = {
  what: '무엇인가',
  idea: '핵심',
  formula: '계산식',
  try: '직접 해 보기',
  query: '질의',
  method: '방법',
  k: 'k',
  bm25: 'BM25 (단어)',
  lsa: 'LSA (의미)',
  rrf: 'RRF (둘을 융합)',
  data: '말뭉치는 패키지에 들어 있는 예제로, 산업 안전에 관한 한국어와 영어의 짧은 글입니다. 질의와 출처는 원래 언어 그대로 보여 줍니다.',
};

export const TEXTS = { en: EN, ko: KO };

/** The settings of a tab that shows one query. */
export const ONE_QUERY = /** @type {const} */ ({
  query: { kind: 'text', initial: 'ko-01' },
  method: { kind: 'choice', initial: 'bm25', options: METHODS },
  k: { kind: 'integer', initial: 5, min: 1, max: DEEPEST },
});

/**
 * Return what there is to read before anything is computed.
 * @param {Language} language
 * @param {{what: string, idea: string}} says
 * @param {unknown} formulas
 */
export function lesson(language, { what, idea }, formulas) {
  const t = TEXTS[language];
  return html`<section><h2>${t.what}</h2><p>${what}</p>
    <h3>${t.idea}</h3><p>${idea}</p>
    <h3>${t.formula}</h3>${formulas}</section>`;
}

/**
 * Return the part in which one query is looked at: controls, and below them what the engine answers.
 * @param {Context} context
 * @param {string} call  of the engine
 * @param {unknown} [more]  further controls
 */
export function oneQuery(context, call, more = '') {
  const { language, settings, set } = context;
  const t = TEXTS[language];
  const answer = context.ask(call, settings, { delay: 150 });
  return html`<section><h2>${t.try}</h2><p class="quiet">${t.data}</p>
    <div class="controls">
      ${choice({ label: t.query, value: settings.query, options: queries(settings.query, answer.result), change: (query) => set({ query }) })}
      ${choice({ label: t.method, value: settings.method, options: METHODS.map((value) => ({ value, label: t[/** @type {'bm25'} */ (value)] })), change: (method) => set({ method }) })}
      ${number({ label: t.k, value: settings.k, min: 1, max: DEEPEST, change: (k) => set({ k }) })}
      ${more}
    </div></section>
    ${answered(answer, language, ({ page }) => renderPage(page, language))}`;
}

/**
 * Return the queries to choose from: the one that is set alone, until the engine has told the others.
 * @param {string} set
 * @param {any} result
 */
function queries(set, result) {
  const known = (result?.queries ?? []).map((/** @type {{id: string, text: string}} */ { id, text }) => ({ value: id, label: `${id} · ${text}` }));
  return known.some((/** @type {{value: string}} */ one) => one.value === set) ? known : [{ value: set, label: printable(set) }, ...known];
}
