// @ts-check
// Which of three searches is better on one corpus? BM25, LSA and their fusion, all else the same.

import { answered, faultOf } from '../answered.mjs';
import { equal } from '../answers.mjs';
import { button, stepButton } from '../controls.mjs';
import { dialogOf } from '../dialog.mjs';
import { asArgument, Files } from '../files.mjs';
import { printable } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { showPlace, tooLarge, wayTo } from '../places.mjs';
import { renderPage } from '../render.mjs';
import { DEEPEST, given, ROLES } from './comparison_given.mjs';
import { comparisonTexts } from './comparison_texts.mjs';
import { rrf } from './formulas.mjs';
import { lesson, TEXTS as TEACHING } from './teaching.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

/** @type {import('./tabs.mjs').Tab} */
export const comparison = {
  id: 'comparison',
  title: { en: 'Comparison', ko: '비교' },
  heading: { en: 'A controlled comparison', ko: '통제된 비교' },
  intro: {
    en: 'BM25, LSA and their fusion on the same corpus, queries, judgments and k.',
    ko: '같은 말뭉치, 질의, 판정, k로 BM25와 LSA와 그 융합을 비교합니다.',
  },
  settings: {
    k: { kind: 'integer', initial: 5, min: 1, max: DEEPEST },
    data: { kind: 'choice', initial: 'example', options: ['example', 'own'] },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  const { language, memory } = context;
  memory.files ??= new Files();
  const t = comparisonTexts(language);
  const asked = argumentsOf(context);
  const fault = context.settings.data === 'own' ? tooLarge(context, ROLES, t.too_large_hint) : null;
  const answer = asked && !fault ? answerTo(context, asked) : null;
  if (answer && !answer.pending) showPlace(context, ROLES, answer);
  return html`${lesson(language, t, rrf(language))}
    <section><h2>${TEACHING[language].try}</h2>
    <div class=${context.settings.data === 'own' ? 'lab' : ''}>
      ${given(context, fault ?? answer?.error ?? null)}
      <div class="results">${fault ? faultOf(fault, language) : answer ? results(context, asked, answer) : html`<p class="note">${t.empty}</p>`}</div>
    </div></section>`;
}

/**
 * Return what the engine is asked, or null where there is not enough to ask.
 * @param {Context} context
 */
function argumentsOf({ settings, memory }) {
  const { k, data } = settings;
  if (data === 'example') return { k };
  if (ROLES.some((role) => !memory.files.at(role).size)) return null;
  return { k, ...Object.fromEntries(ROLES.map((role) => [role, asArgument(memory.files.at(role))])) };
}

/**
 * Return the means as soon as they are there; intervals and p, which take longer, come after them.
 * @param {Context} context
 * @param {any} asked
 * @returns {import('../answers.mjs').Answer}
 */
function answerTo(context, asked) {
  const { memory } = context;
  const quick = context.ask('comparison', { ...asked, ...all(context, asked), statistics: false }, { slot: 'quick', delay: 350 });
  memory.more = false;
  memory.failed = null;
  if (quick.pending) return { ...(quick.error ? quick : (memory.shown ?? quick)), pending: true };
  if (quick.error || quick.result.runs.length < 2) return (memory.shown = quick);
  if (equal(memory.halted, asked)) return (memory.shown = quick);
  const whole = context.ask('comparison', { ...asked, ...all(context, asked) }, { slot: 'whole', delay: 0 });
  memory.more = whole.pending;
  memory.failed = whole.pending || whole.error?.stopped ? null : whole.error;
  return (memory.shown = whole.pending || whole.error ? quick : whole);
}

/**
 * Return what is asked beyond the quick numbers, where the person wanted that of just these data.
 * @param {Context} context
 * @param {any} asked
 */
function all({ memory }, asked) {
  return equal(memory.wanted, asked) ? { statistics: true, lsa: true } : {};
}

/**
 * @param {Context} context
 * @param {any} asked
 * @param {import('../answers.mjs').Answer} answer
 */
function results(context, asked, answer) {
  const { language, memory } = context;
  const t = comparisonTexts(language);
  return html`<h2 class="unseen">${t.results}</h2>
    ${answered(answer, language, (result) => html`${told(context, asked, answer, result)}${renderPage(result.page, language, { action: actionsOf(context) })}`, (fault) => wayTo(context, ROLES, fault))}
    ${memory.open && answer.result && !answer.error ? queryDialog(context, asked, answer.result) : nothing}`;
}

/**
 * Return what is still on its way, with the way to stop it; or the way to ask for it, where there are many queries.
 * @param {Context} context
 * @param {any} asked
 * @param {import('../answers.mjs').Answer} answer
 * @param {any} result
 */
function told(context, asked, answer, result) {
  const { language, memory, redraw, stop } = context;
  const t = comparisonTexts(language);
  const busy = memory.more || answer.pending;
  const end = () => {
    memory.wanted = null; // what was there before the rest was wanted is asked again, and no more
    memory.halted = asked;
    stop();
    redraw();
  };
  const offered = !busy && !result.tested && (result.runs.length > 1 || result.left_out === 'slow');
  return html`<p class="quiet more" role="status">${memory.more ? t.more : offered ? t.many : ''}</p>
    ${busy ? html`<div class="buttons">${button({ label: t.stop, act: end })}</div>` : nothing}
    ${offered ? html`<div class="buttons">${button({ label: t.calculate, act: () => want(context, asked) })}</div>` : nothing}
    ${memory.failed ? faultOf(memory.failed, language) : nothing}`;
}

/**
 * Ask for all there is, whatever was stopped before.
 * @param {Context} context
 * @param {any} asked
 */
function want({ memory, forget, redraw }, asked) {
  memory.halted = null;
  memory.wanted = asked;
  for (const slot of ['quick', 'whole']) forget(slot);
  redraw();
}

/**
 * Say what the buttons in a table do: a query opens.
 * @param {Context} context
 * @returns {import('../table.mjs').CellAction}
 */
function actionsOf({ memory, redraw }) {
  const label = { en: comparisonTexts('en').open_query, ko: comparisonTexts('ko').open_query };
  return ({ header }, row, column) => {
    if (column !== 0 || header[0].en !== 'query_id' || typeof row[0] !== 'string') return null;
    const query = row[0];
    const act = () => {
      memory.open = query;
      redraw();
    };
    return { label, act };
  };
}

/**
 * Return the window in which a query is open: its lists beside each other.
 * @param {Context} context
 * @param {any} asked
 * @param {any} result
 */
function queryDialog(context, asked, result) {
  const { language, memory, redraw } = context;
  const t = comparisonTexts(language);
  const at = result.query_ids.indexOf(memory.open);
  const open = (/** @type {string | null} */ query) => () => {
    memory.open = query;
    redraw();
  };
  const found = context.ask('comparison_query', { ...asked, lsa: result.runs.length > 1, query: memory.open }, { delay: 0 });
  return dialogOf({
    language,
    heading: t.query(printable(memory.open)),
    tools: html`${stepButton({ label: t.previous, ended: at <= 0, act: open(result.query_ids[at - 1]) })}${stepButton({ label: t.next, ended: at < 0 || at === result.query_ids.length - 1, act: open(result.query_ids[at + 1]) })}`,
    content: answered(found, language, ({ page }) => renderPage(page, language, { level: 3 })),
    closed: open(null),
  });
}
