// @ts-check
// What happened to one query? Both rankings side by side, and any of its values term by term.

import { answered } from '../answered.mjs';
import { choice, stepButton } from '../controls.mjs';
import { dialogOf } from '../dialog.mjs';
import { printable } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { renderBlocks, renderPage } from '../render.mjs';
import { labTexts } from './lab_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */
/** @typedef {{run: string, measure: string}} Value */

/**
 * Open a query over the page.
 * @param {Context} context
 * @param {string} query
 * @param {Value | null} [value]  the one to explain: its explanation is gone to
 */
export function openQuery({ memory, redraw }, query, value = null) {
  memory.open = { query, value };
  redraw();
  if (value) requestAnimationFrame(() => requestAnimationFrame(() => toExplanation()));
}

function toExplanation() {
  const heading = /** @type {HTMLElement | null} */ (document.querySelector('.explanation h3'));
  heading?.focus();
  heading?.scrollIntoView({ block: 'nearest' });
}

/**
 * Return the window in which a query is open.
 * @param {Context} context
 * @param {any} asked  what the results answer
 * @param {any} result
 */
export function queryDialog(context, asked, result) {
  const { language, memory } = context;
  const t = labTexts(language);
  const { query } = memory.open;
  const at = result.query_ids.indexOf(query);
  const go = (/** @type {number} */ to) => () => {
    memory.open = { ...memory.open, query: result.query_ids[to] };
    context.redraw();
  };
  const found = context.ask('query', { ...asked, query }, { delay: 0 });
  return dialogOf({
    language,
    heading: t.query(printable(query)),
    tools: html`${stepButton({ label: t.previous, ended: at <= 0, act: go(at - 1) })}${stepButton({ label: t.next, ended: at < 0 || at === result.query_ids.length - 1, act: go(at + 1) })}`,
    content: html`${answered(found, language, ({ page }) => renderPage(page, language, { level: 3 }))}${explanation(context, asked, result)}`,
    closed: () => {
      memory.open = null;
      context.redraw();
    },
  });
}

/**
 * @param {Context} context
 * @param {any} asked
 * @param {any} result
 */
function explanation(context, asked, result) {
  const { language, memory } = context;
  const t = labTexts(language);
  const { query } = memory.open;
  const value = { run: result.runs.at(-1), measure: ndcgOf(result.measures), ...memory.open.value };
  const set = (/** @type {Partial<Value>} */ change) => {
    memory.open = { query, value: { ...value, ...change } };
    context.redraw();
  };
  const found = context.ask('explain', { ...asked, query, ...value }, { delay: 0 });
  return html`<section class="explanation"><h3 tabindex="-1">${t.explain}</h3>
    <div class="controls">
      ${result.runs.length > 1 ? choice({ label: t.run, value: value.run, options: result.runs.map((/** @type {string} */ one) => ({ value: one, label: sideOf(one, language) })), change: (run) => set({ run }) }) : nothing}
      ${choice({ label: t.measure, value: value.measure, options: result.measures.map((/** @type {string} */ one) => ({ value: one, label: one })), change: (measure) => set({ measure }) })}
    </div>
    ${answered(found, language, ({ page }) => renderBlocks(page.lead, language))}
  </section>`;
}

/**
 * @param {string} run
 * @param {import('../format.mjs').Language} language
 */
function sideOf(run, language) {
  return language === 'ko' ? ({ before: '전', after: '후' }[run] ?? printable(run)) : printable(run);
}

/**
 * Return the measure to explain first: nDCG, which has most to explain.
 * @param {string[]} measures
 */
function ndcgOf(measures) {
  return measures.find((one) => one.startsWith('nDCG')) ?? measures[0];
}
