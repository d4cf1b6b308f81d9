// @ts-check
// Did reranking help? The first tab: judgments with rankings before and after, in any form, side by side.

import { answered, faultOf } from '../answered.mjs';
import { equal } from '../answers.mjs';
import { button } from '../controls.mjs';
import { asArgument, Files, givenText } from '../files.mjs';
import { isWords } from '../format.mjs';
import { texts } from '../i18n.mjs';
import { html, nothing } from '../lit.mjs';
import { showPlace, tooLarge, wayTo } from '../places.mjs';
import { renderPage } from '../render.mjs';
import { downloads } from './lab_downloads.mjs';
import { given, placesOf } from './lab_given.mjs';
import { openQuery, queryDialog } from './lab_query.mjs';
import { labTexts } from './lab_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */
/** @typedef {import('../table.mjs').TableBlock} TableBlock */

/** How long the numbers wait for the next key, in milliseconds; and from LARGE bytes on. */
const [PAUSE, LONG_PAUSE, LARGE] = [350, 900, 500_000];
/** Of as many queries intervals and p come by themselves; of more they take up to a minute. */
const FEW = 200;

/** @type {import('./tabs.mjs').Tab} */
export const lab = {
  id: 'lab',
  title: { en: 'Lab', ko: '실험실' },
  heading: { en: 'Did reranking help?', ko: '리랭킹이 도움이 되었나?' },
  intro: {
    en: 'Paste or open judgments with the ranking before and after, choose how many places count, and read what changed. Everything is computed in this page: no file, text or id leaves it.',
    ko: '판정과 리랭킹 전후의 순위를 붙여 넣거나 열고, 몇 번째 자리까지 볼지 고르면 무엇이 달라졌는지 알 수 있습니다. 모든 계산은 이 페이지 안에서 하며, 파일, 글, ID는 밖으로 나가지 않습니다.',
  },
  settings: {
    k: { kind: 'integer', initial: 5, min: 1, max: 1000 },
    contract: { kind: 'text', initial: '' }, // the usual one of the input
    input: { kind: 'choice', initial: 'one', options: ['one', 'runs'] },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  start(context);
  const { files } = context.memory;
  const asked = argumentsOf(context);
  const places = placesOf(context);
  const fault = tooLarge(context, places, labTexts(context.language).too_large_hint);
  const delay = !files.isTyped ? 0 : files.total > LARGE ? LONG_PAUSE : PAUSE;
  const answer = asked && !fault ? answerTo(context, asked, delay) : null;
  if (answer && !answer.pending) showPlace(context, places, answer);
  return html`<div class="lab">
    ${given(context, fault ?? answer?.error ?? null)}
    <div class="results">${fault ? faultOf(fault, context.language) : answer ? results(context, asked, answer) : empty(context)}</div>
  </div>`;
}

/**
 * Return the numbers as soon as they are there. Intervals and p, which take longer, come after them: by themselves for
 * few queries, for many where the person wants them.
 * @param {Context} context
 * @param {any} asked
 * @param {number} delay
 * @returns {import('../answers.mjs').Answer}
 */
function answerTo(context, asked, delay) {
  const { ask, memory } = context;
  const quick = ask('lab', { ...asked, statistics: false }, { slot: 'quick', delay });
  if (quick.pending) return { ...(quick.error ? quick : (memory.shown ?? quick)), pending: true };
  memory.coming = false;
  memory.failed = null;
  memory.shown = quick;
  if (quick.error || quick.result.form === 'run') return quick;
  memory.offered = quick.result.query_ids.length > FEW && !equal(memory.wanted, asked);
  if (memory.offered) return quick;
  const whole = ask('lab', { ...asked, statistics: true }, { slot: 'whole', delay: 0 });
  memory.coming = whole.pending;
  memory.offered = !whole.pending && Boolean(whole.error);
  memory.failed = whole.pending || whole.error?.stopped ? null : whole.error; // the numbers stay
  if (!whole.pending && !whole.error) memory.shown = whole;
  return memory.shown;
}

/**
 * Set up what the tab keeps while the page is open; the sample is there at first, so that there is something to see.
 * @param {Context} context
 */
function start({ memory, ask }) {
  memory.files ??= new Files();
  const { result } = ask('sample', {});
  if (!result || memory.sample) return;
  memory.sample = result;
  if (memory.files.isEmpty && !memory.files.canUndo) memory.files = new Files({ text: givenText({ name: 'lab.json', text: result.json }) });
}

/**
 * Return what the engine is asked, or null where there is not enough to ask.
 * @param {Context} context
 */
function argumentsOf({ settings, memory }) {
  const { k, contract, input } = settings;
  const shared = contract ? { k, contract } : { k };
  const at = (/** @type {string} */ place) => memory.files.at(place);
  if (input === 'one') return at('text').size ? { text: asArgument(at('text')), ...shared } : null;
  if (!at('qrels').size || !at('before').size) return null;
  const after = at('after').size ? { after: asArgument(at('after')) } : {};
  return { qrels: asArgument(at('qrels')), before: asArgument(at('before')), ...after, ...shared };
}

/** @param {Context} context */
function empty({ language, settings }) {
  const t = labTexts(language);
  return html`<p class="note">${settings.input === 'one' ? t.empty : t.empty_runs}</p>`;
}

/**
 * @param {Context} context
 * @param {any} asked
 * @param {import('../answers.mjs').Answer} answer
 */
function results(context, asked, answer) {
  const { language, memory } = context;
  const { statistics: _, ...shown } = answer.asked ?? asked; // what is shown may be of what was asked before
  return html`<h2 class="unseen">${labTexts(language).results}</h2>
    ${(answer.pending && !memory.coming) || answer.error ? nothing : testing(context, asked)}
    ${answered(
      answer,
      language,
      (result) => html`${renderPage(pageOf(context, result), language, { action: actionsOf(context, result) })}
        ${downloads(context, shown, result)}`,
      (fault) => wayTo(context, placesOf(context), fault),
    )}
    ${memory.open && answer.result && !answer.error ? queryDialog(context, shown, answer.result) : nothing}`;
}

/**
 * Say that intervals and p are on their way, or offer them.
 * @param {Context} context
 * @param {any} asked
 */
function testing({ language, memory, redraw, stop, forget }, asked) {
  const t = labTexts(language);
  const test = () => {
    forget('whole');
    memory.wanted = asked;
    redraw();
  };
  return html`<div class="testing"><p class="quiet" role="status">${memory.coming ? t.coming : ''}</p>
    ${memory.coming ? button({ label: texts(language).stop, act: stop }) : nothing}
    ${memory.offered ? button({ label: t.test, act: test }) : nothing}</div>
    ${memory.failed ? faultOf(memory.failed, language) : nothing}`;
}

/**
 * Return the page of a result; while intervals are on their way, without the words that there are none.
 * @param {Context} context
 * @param {any} result
 * @returns {import('../render.mjs').Page}
 */
function pageOf({ memory }, { page }) {
  return memory.coming ? { ...page, lead: page.lead.filter((/** @type {any} */ block) => block.kind !== 'text') } : page;
}

/**
 * Say what the buttons in a table do: a query opens side by side, a value is explained.
 * @param {Context} context
 * @param {any} result
 * @returns {import('../table.mjs').CellAction}
 */
function actionsOf(context, result) {
  const [en, ko] = [labTexts('en'), labTexts('ko')];
  return ({ header }, row, column) => {
    if (header[0].en !== 'query_id' || typeof row[0] !== 'string') return null;
    const query = row[0];
    if (column === 0) return { label: { en: en.open_query, ko: ko.open_query }, act: () => openQuery(context, query) };
    const measure = header[column].en;
    if (!result.measures.includes(measure)) return null;
    const side = header[1].en === 'run' ? String(isWords(row[1]) ? row[1].en : row[1]) : result.runs[0];
    const run = result.runs.includes(side) ? side : result.runs[side === 'after' ? 1 : 0]; // runs have names of their own
    return { label: { en: en.explain_value, ko: ko.explain_value }, act: () => openQuery(context, query, { run, measure }) };
  };
}
