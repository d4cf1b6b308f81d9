// @ts-check
// Whose results get the clicks? Two lists, a coin, clicks by the person, the tally, and how many it would take.

import { answered } from '../answered.mjs';
import { equal } from '../answers.mjs';
import { button, choice, number, segments, selectPlace, textArea } from '../controls.mjs';
import { numberText, printable } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { renderPage } from '../render.mjs';
import { TEXTS as OWN_TEXTS } from './interleaving_texts.mjs';

export { TEXTS } from './interleaving_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */
/** @typedef {{impression: number, clicks: {impression: number, doc_id: string}[]}} Round  what users were shown so far, and clicked */

const METHODS = ['team-draft', 'balanced', 'probabilistic'];
const MODELS = ['navigational', 'perfect', 'informational'];
const RUNS = ['bm25-words', 'bm25-ngrams', 'lsa'];
/** So many users come at once. */
const USERS = 20;
const MOST_IMPRESSIONS = 2000;

/** @type {import('./tabs.mjs').Tab} */
export const interleaving = {
  id: 'interleaving',
  title: { en: 'Interleaving', ko: '인터리빙' },
  heading: { en: 'Whose results get the clicks?', ko: '클릭은 누구의 결과로 가는가?' },
  intro: {
    en: 'Interleaving shows users one list made of two rankings, and sees whose documents they click. No labels are needed, but users are: click for them, watch the tally, and read how many it would take.',
    ko: '인터리빙은 두 순위를 한 목록으로 섞어 보여 주고, 사용자가 어느 쪽의 문서를 누르는지 봅니다. 판정은 필요 없지만 사용자가 필요합니다. 사용자 대신 눌러 보고, 집계를 지켜보고, 사용자가 몇 명이나 필요한지 확인하십시오.',
  },
  settings: {
    source: { kind: 'choice', initial: 'own', options: ['own', 'example'] },
    query: { kind: 'text', initial: 'ko-01' },
    left: { kind: 'choice', initial: 'bm25-ngrams', options: RUNS },
    right: { kind: 'choice', initial: 'lsa', options: RUNS },
    method: { kind: 'choice', initial: 'team-draft', options: METHODS },
    k: { kind: 'integer', initial: 4, min: 1, max: 20 },
    seed: { kind: 'integer', initial: 0, min: 0, max: 999_999_999 },
    model: { kind: 'choice', initial: 'navigational', options: MODELS },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  const { memory, language, settings } = context;
  if (!memory.rounds) Object.assign(memory, { a: 'a\nb\nc\nd', b: 'b\nc\nd\na', grades: 'c 1', rounds: new Map(), busy: false });
  const asked = argumentsOf(context);
  const round = roundOf(context);
  const answer = context.ask('interleaving', { ...asked, ...round }, { delay: 150 });
  const plan = context.ask('interleaving_plan', { ...asked, model: settings.model }, { delay: 500 });
  return html`<div class="lab">
    ${given(context, Boolean(answer.error))}
    <div class="results">
      ${answered(answer, language, (result) => html`${shownList(context, asked, result, sameLists(answer.asked, asked) && answer.asked.impression === round.impression)}${renderPage(result.page, language)}`, placeOf)}
      ${answer.error ? nothing : answered(plan, language, ({ page }) => renderPage(page, language))}
    </div>
  </div>`;
}

/** @param {Context} context */
function argumentsOf({ settings, memory }) {
  const { source, query, left, right, method, k, seed } = settings;
  const lists = source === 'own' ? { a: memory.a, b: memory.b, grades: memory.grades } : { query, runs: [left, right] };
  return { ...lists, method, k, seed };
}

/**
 * Return what users were shown and clicked: each two lists, method, k and seed have a round of their own, which is
 * there again when they come back.
 * @param {Context} context
 * @returns {Round}
 */
function roundOf(context) {
  return context.memory.rounds.get(keyOf(context)) ?? { impression: 1, clicks: [] };
}

/** @param {Context} context */
function keyOf(context) {
  const { grades, ...lists } = argumentsOf(context);
  return JSON.stringify(lists);
}

/**
 * @param {Context} context
 * @param {Round} round
 */
function put(context, round) {
  context.memory.rounds.set(keyOf(context), round);
  context.redraw();
}

/**
 * Return whether an answer is about the lists that are asked for now.
 * @param {any} answered
 * @param {any} asked
 */
function sameLists(answered, asked) {
  return Object.entries(asked).every(([name, value]) => equal(answered?.[name], value));
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function given(context, invalid) {
  const { language, settings, set } = context;
  const t = OWN_TEXTS[language];
  const choices = context.ask('interleaving_choices', {}).result;
  const model = choices?.models.find((/** @type {any} */ one) => one.name === settings.model);
  return html`<section class="given" aria-label=${t.given}>
    ${segments({ label: t.source, name: 'source', value: settings.source, options: [{ value: 'own', label: t.own }, { value: 'example', label: t.example }], change: (source) => set({ source }) })}
    ${settings.source === 'own' ? own(context, invalid) : example(context, choices)}
    <div class="controls">
      ${choice({ label: t.method, value: settings.method, options: named(METHODS), change: (method) => set({ method }) })}
      ${number({ label: t.k, value: settings.k, min: 1, max: 20, change: (k) => set({ k }) })}
      ${number({ label: t.seed, value: settings.seed, min: 0, max: 999_999_999, hint: t.seed_hint, change: (seed) => set({ seed }) })}
      ${choice({ label: t.model, value: settings.model, options: named(MODELS), hint: model?.says[language], change: (one) => set({ model: one }) })}
    </div>
    <div class="buttons">${button({ label: t.flip, act: () => set({ seed: (settings.seed + 1) % 1_000_000_000 }) })}</div>
  </section>`;
}

/** @param {string[]} names */
function named(names) {
  return names.map((value) => ({ value, label: value }));
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function own({ language, memory, redraw }, invalid) {
  const t = OWN_TEXTS[language];
  return ['a', 'b', 'grades'].map((place) =>
    html`<div class="slot">${textArea({
      id: `given-${place}`,
      label: t[/** @type {'a'} */ (place)],
      value: memory[place],
      rows: place === 'grades' ? 2 : 5,
      invalid,
      change: (value) => {
        memory[place] = value;
        redraw();
      },
    })}</div>`,
  );
}

/**
 * @param {Context} context
 * @param {any} choices  what the engine knows of the example; null before it is there
 */
function example({ language, settings, set }, choices) {
  const t = OWN_TEXTS[language];
  const queries = choices
    ? choices.queries.map((/** @type {any} */ one) => ({ value: one.query_id, label: printable(`${one.query_id} · ${one.text}`) }))
    : [{ value: settings.query, label: settings.query }];
  return html`<div class="controls">
    ${choice({ label: t.query, value: settings.query, options: queries, change: (query) => set({ query }) })}
    ${choice({ label: t.left, value: settings.left, options: named(RUNS), change: (left) => set({ left }) })}
    ${choice({ label: t.right, value: settings.right, options: named(RUNS), change: (right) => set({ right }) })}
  </div>`;
}

/**
 * Return the list of the user who is there, and what can be done with it.
 * @param {Context} context
 * @param {any} asked
 * @param {any} result
 * @param {boolean} current  whether the answer is that of this user's list
 */
function shownList(context, asked, result, current) {
  const { language, memory } = context;
  const t = OWN_TEXTS[language];
  const round = roundOf(context);
  const { impression, clicks } = round;
  const isClicked = (/** @type {string} */ doc) => clicks.some((one) => one.impression === impression && one.doc_id === doc);
  const toggle = (/** @type {string} */ doc) =>
    put(context, {
      impression,
      clicks: isClicked(doc) ? clicks.filter((one) => one.impression !== impression || one.doc_id !== doc) : [...clicks, { impression, doc_id: doc }],
    });
  const isFull = impression + USERS >= MOST_IMPRESSIONS;
  return html`<section class="impression"><h2>${t.list(numberText(impression, language))}</h2>
    ${result.shown.length ? html`<p class="quiet" id="list-hint">${t.list_hint}</p>` : html`<p class="note">${t.empty}</p>`}
    <ol class="shown">${result.shown.map(
      (/** @type {any} */ one) => html`<li><button type="button" aria-pressed=${isClicked(one.doc_id)} aria-describedby="list-hint" @click=${() => current && !memory.busy && toggle(one.doc_id)}>${document_(one)}</button>
        ${one.team ? html`<span class="team ${one.team === result.runs[0] ? 'left' : 'right'}">${t.picked(one.team)}</span>` : nothing}</li>`,
    )}</ol>
    <div class="buttons">
      ${button({ label: t.next, main: true, disabled: isFull || memory.busy, act: () => current && put(context, { impression: impression + 1, clicks }) })}
      ${button({ label: t.simulate(numberText(USERS, language)), disabled: isFull || memory.busy, act: () => current && simulate(context, asked) })}
      ${button({ label: t.again, disabled: memory.busy || (impression === 1 && !clicks.length), act: () => put(context, { impression: 1, clicks: [] }) })}
    </div>
    ${context.settings.source === 'example' ? rankings(result, language) : nothing}</section>`;
}

/** @param {{doc_id: string, title: string | null}} one */
function document_({ doc_id: id, title }) {
  return title ? html`<span>${printable(title)}</span> <code>${printable(id)}</code>` : html`<span>${printable(id)}</span>`;
}

/**
 * @param {any} result
 * @param {import('../format.mjs').Language} language
 */
function rankings(result, language) {
  return html`<details class="plain"><summary>${OWN_TEXTS[language].rankings}</summary><div class="pair">${result.runs.map(
    (/** @type {string} */ run) => html`<div><h3>${run}</h3><ol>${result.rankings[run].map((/** @type {any} */ one) => html`<li>${document_(one)}</li>`)}</ol></div>`,
  )}</div></details>`;
}

/**
 * Let simulated users click on the next lists; the person goes on behind them.
 * @param {Context} context
 * @param {any} asked
 */
async function simulate(context, asked) {
  const { memory, settings } = context;
  const key = keyOf(context);
  const { impression, clicks } = roundOf(context);
  const first = clicks.some((one) => one.impression === impression) ? impression + 1 : impression;
  memory.busy = true;
  context.redraw();
  try {
    const more = await context.call('interleaving_users', { ...asked, model: settings.model, first, count: USERS });
    memory.rounds.set(key, { impression: first + USERS, clicks: [...clicks, ...more.clicks] });
  } catch {
    // what is wrong with the input stands where its list would be; an engine that stopped says so itself
  }
  memory.busy = false;
  context.redraw();
}

/** @param {import('../answered.mjs').OneFault} fault */
function placeOf(fault) {
  const box = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(`given-${String(fault.file).toLowerCase()}`));
  const { line } = fault;
  return box && line ? () => selectPlace(box, line) : null;
}
