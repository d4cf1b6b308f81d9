// @ts-check
// What can a reranker change, and what can it not? A fixture drawn as vectors in a plane, to be edited.

import { answered } from '../answered.mjs';
import { equal } from '../answers.mjs';
import { button, number, segments } from '../controls.mjs';
import { printable } from '../format.mjs';
import { texts } from '../i18n.mjs';
import { html, nothing } from '../lit.mjs';
import { renderPage } from '../render.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

/**
 * @typedef {object} Fixture
 * @property {Record<string, number[]>} documents
 * @property {Record<string, {vector: number[], judgments: Record<string, number>, scores: Record<string, number>}>} queries
 */

const EN = {
  given: 'The fixture',
  query: 'Query to look at',
  k: 'Candidates',
  k_hint: 'how many the reranker sees',
  vectors: (/** @type {string} */ query) => `Vectors; grades and scores of ${query}`,
  document: 'document',
  grade: 'grade',
  score: 'score',
  cell: (/** @type {string} */ name, /** @type {string} */ what) => `${name}: ${what}`,
  candidate: 'candidate',
  of_query: 'query',
  reset: 'Back to the fixture',
  try_score: 'Try a score: give d3 the highest for q1',
  try_order: 'Try a score: turn the reranker of q1 round',
  try_vector: 'Try a vector: turn d3 towards q1',
};

/** @type {typeof EN} */
const KO = {
  given: '예제',
  query: '볼 질의',
  k: '후보 수',
  k_hint: '리랭커가 보는 문서 수',
  vectors: (query) => `벡터와 ${query}의 등급, 점수`,
  document: '문서',
  grade: '등급',
  score: '점수',
  cell: (name, what) => `${name}: ${what}`,
  candidate: '후보',
  of_query: '질의',
  reset: '예제로 되돌리기',
  try_score: '점수 실험: q1에서 d3에 최고 점수 주기',
  try_order: '점수 실험: q1의 리랭킹 뒤집기',
  try_vector: '벡터 실험: d3을 q1 쪽으로 돌리기',
};

export const TEXTS = { en: EN, ko: KO };

/** As many candidates the fixture has. */
const K = 2;

/** @type {import('./tabs.mjs').Tab} */
export const closedCorpus = {
  id: 'closed-corpus',
  title: { en: 'Closed corpus', ko: '닫힌 말뭉치' },
  heading: { en: 'What can a reranker change, and what can it not?', ko: '리랭커는 무엇을 바꿀 수 있고 무엇을 바꿀 수 없나?' },
  intro: {
    en: 'Four documents and three queries, small enough to check by hand. The documents nearest by cosine are the candidates; the reranker may order them, and nothing else. Edit a vector, a grade or a score and see what follows.',
    ko: '손으로 확인할 수 있는 문서 네 개와 질의 세 개입니다. 코사인으로 가장 가까운 문서가 후보가 되고, 리랭커는 후보의 순서만 바꿀 수 있습니다. 벡터, 등급, 점수를 고치고 무엇이 따라 바뀌는지 보십시오.',
  },
  settings: {
    query: { kind: 'text', initial: 'q1' },
    k: { kind: 'integer', initial: K, min: 1, max: 4 },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  const { memory, language, settings } = context;
  const original = context.ask('closed_corpus', {}, { slot: 'original' });
  if (!memory.fixture && original.result) {
    const { documents, queries } = original.result.fixture;
    Object.assign(memory, { original: { documents, queries }, fixture: { documents, queries }, past: [] });
  }
  if (!memory.fixture) return answered(original, language, () => nothing);
  const asked = { fixture: { ...memory.fixture, k: settings.k }, query: queryOf(context) };
  const answer = context.ask('closed_corpus', asked, { delay: 150 });
  return html`<div class="lab">
    ${given(context, answer.result?.data.queries[asked.query]?.candidates ?? [])}
    <div class="results">${answered(answer, language, ({ page }) => renderPage(page, language))}</div>
  </div>`;
}

/**
 * Return the query that is looked at: the first one where the address names none of the fixture.
 * @param {Context} context
 */
function queryOf({ settings, memory }) {
  const queries = Object.keys(memory.fixture.queries);
  return queries.includes(settings.query) ? settings.query : queries[0];
}

/**
 * @param {Context} context
 * @param {string[]} candidates
 */
function given(context, candidates) {
  const { language, settings, set, memory } = context;
  const t = TEXTS[language];
  const query = queryOf(context);
  const { documents, queries } = /** @type {Fixture} */ (memory.fixture);
  const reset = () => {
    put(context, memory.original);
    set({ k: K });
  };
  return html`<section class="given" aria-label=${t.given}>
    ${segments({ label: t.query, name: 'query', value: query, options: Object.keys(queries).map((value) => ({ value, label: printable(value) })), change: (one) => set({ query: one }) })}
    <div class="table" role="group" tabindex="0" aria-labelledby="fixture-caption"><table class="cells">
      <caption id="fixture-caption">${t.vectors(printable(query))}</caption>
      <thead><tr><th scope="col">${t.document}</th><th scope="col">x</th><th scope="col">y</th><th scope="col">${t.grade}</th><th scope="col">${t.score}</th></tr></thead>
      <tbody>${Object.keys(documents).map((doc) => row(context, query, doc, candidates.includes(doc)))}
        <tr><th scope="row">${printable(query)} <small class="quiet">${t.of_query}</small></th>${axes(context, query, queries[query].vector, (vector) => ofQuery(memory.fixture, query, { vector }))}<td></td><td></td></tr>
      </tbody></table></div>
    <div class="controls">${number({ label: t.k, value: settings.k, min: 1, max: 4, hint: t.k_hint, change: (k) => set({ k }) })}</div>
    <div class="buttons">
      ${button({ label: texts(language).undo, disabled: !memory.past.length, act: () => undo(context) })}
      ${button({ label: t.reset, disabled: equal(memory.fixture, memory.original) && settings.k === K, act: reset })}
    </div>
    <div class="buttons tries">
      ${button({ label: t.try_order, act: () => tryOut(context, turnedRound) })}
      ${button({ label: t.try_score, act: () => tryOut(context, (fixture) => withScore(fixture, 'q1', 'd3', 9)) })}
      ${button({ label: t.try_vector, act: () => tryOut(context, (fixture) => ({ ...fixture, documents: { ...fixture.documents, d3: [3, 1] } })) })}
    </div>
  </section>`;
}

/**
 * @param {Context} context
 * @param {string} query
 * @param {string} doc
 * @param {boolean} isCandidate
 */
function row(context, query, doc, isCandidate) {
  const { language, memory } = context;
  const t = TEXTS[language];
  const { documents, queries } = /** @type {Fixture} */ (memory.fixture);
  const { judgments, scores } = queries[query];
  const graded = (/** @type {number | null} */ grade) => put(context, ofQuery(memory.fixture, query, { judgments: { ...judgments, [doc]: grade ?? 0 } }));
  return html`<tr class=${isCandidate ? 'candidate' : ''}><th scope="row">${printable(doc)}${isCandidate ? html` <small>${t.candidate}</small>` : nothing}</th>
    ${axes(context, doc, documents[doc], (vector) => ({ ...memory.fixture, documents: { ...documents, [doc]: vector } }))}
    <td>${cell({ label: t.cell(doc, t.grade), value: judgments[doc] ?? 0, min: 0, max: 20, step: 1, change: graded })}</td>
    <td>${cell({ label: t.cell(doc, t.score), value: scores[doc] ?? null, step: 'any', change: (score) => put(context, withScore(memory.fixture, query, doc, score)) })}</td></tr>`;
}

/**
 * Return the two cells of a vector.
 * @param {Context} context
 * @param {string} name
 * @param {number[]} vector
 * @param {(vector: number[]) => Fixture} edited
 */
function axes(context, name, vector, edited) {
  const t = TEXTS[context.language];
  return ['x', 'y'].map((axis, at) => {
    const change = (/** @type {number | null} */ value) => put(context, edited(vector.map((one, place) => (place === at ? value ?? 0 : one))));
    return html`<td>${cell({ label: t.cell(name, axis), value: vector[at], empty: 0, step: 'any', min: -1e6, max: 1e6, change })}</td>`;
  });
}

/**
 * A number in a table. An empty cell is told as `empty`; what is no number, or out of bounds, is taken back.
 * @param {{label: string, value: number | null, change: (value: number | null) => void, step: number | 'any', min?: number, max?: number, empty?: number | null}} control
 */
function cell({ label, value, change, step, min, max, empty = null }) {
  const written = (/** @type {number | null} */ one) => (one === null ? '' : String(one));
  const read = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const given = !field.validity.valid ? value : field.value === '' ? empty : field.valueAsNumber;
    field.value = written(given);
    if (given !== value) change(given);
  };
  return html`<input type="number" autocomplete="off" aria-label=${label} step=${step} min=${min ?? nothing} max=${max ?? nothing} .value=${written(value)} @change=${read}>`;
}

/**
 * @param {Fixture} fixture
 * @param {string} query
 * @param {Partial<Fixture['queries'][string]>} changes
 * @returns {Fixture}
 */
function ofQuery(fixture, query, changes) {
  return { ...fixture, queries: { ...fixture.queries, [query]: { ...fixture.queries[query], ...changes } } };
}

/**
 * @param {Fixture} fixture
 * @param {string} query
 * @param {string} doc
 * @param {number | null} score  null: none
 */
function withScore(fixture, query, doc, score) {
  const { [doc]: _, ...others } = fixture.queries[query].scores;
  return ofQuery(fixture, query, { scores: score === null ? others : { ...others, [doc]: score } });
}

/** @param {Fixture} fixture */
function turnedRound(fixture) {
  const scores = Object.fromEntries(Object.entries(fixture.queries.q1.scores).map(([doc, score]) => [doc, -score]));
  return ofQuery(fixture, 'q1', { scores });
}

/**
 * Edit the fixture as told, and look at q1, where the edit is.
 * @param {Context} context
 * @param {(fixture: Fixture) => Fixture} edit
 */
function tryOut(context, edit) {
  put(context, edit(context.memory.fixture));
  if (queryOf(context) !== 'q1') context.set({ query: 'q1' });
}

/**
 * @param {Context} context
 * @param {Fixture} fixture
 */
function put({ memory, redraw }, fixture) {
  memory.past = [...memory.past, memory.fixture];
  memory.fixture = fixture;
  redraw();
}

/** @param {Context} context */
function undo({ memory, redraw }) {
  memory.fixture = memory.past.at(-1);
  memory.past = memory.past.slice(0, -1);
  redraw();
}
