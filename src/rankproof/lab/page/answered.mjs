// @ts-check
// How does an answer of the engine look while it is awaited, when it came, and when something was wrong?

import { button } from './controls.mjs';
import { numberText, printable } from './format.mjs';
import { texts } from './i18n.mjs';
import { html, nothing } from './lit.mjs';

/** @typedef {import('./answers.mjs').Answer} Answer */
/** @typedef {import('./answers.mjs').Fault} Fault */
/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {NonNullable<Fault['faults']>[number]} OneFault */

/** What the engine calls a text that came without the name of a file. */
const PASTED = 'pasted text';

/**
 * Return an answer: what is made of its result, or what was wrong; dimmed while a newer one is awaited.
 * @param {Answer} answer
 * @param {Language} language
 * @param {(result: any) => unknown} shown
 * @param {((fault: OneFault) => (() => void) | null) | null} [place]  what selects the place of a fault, if it can be
 */
export function answered(answer, language, shown, place = null) {
  const content = answer.error ? html`${faultOf(answer.error, language, place)}${once(answer, language)}` : answer.result ? html`${noticed(answer.result.warnings, language)}${shown(answer.result)}` : waiting();
  return html`<div class="answer ${answer.pending ? 'pending' : ''}" aria-busy=${answer.pending}>
    <p class="unseen" role="status">${answer.pending ? texts(language).working : ''}</p>${content}</div>`;
}

/**
 * Return the button that asks once more, where it is not the input that was wrong.
 * @param {Answer} answer
 * @param {Language} language
 */
function once({ error, again }, language) {
  return error?.stopped || error?.unexpected ? html`<div class="buttons">${button({ label: texts(language).once_more, act: again })}</div>` : nothing;
}

/**
 * Return what the engine noticed while it read the input.
 * @param {string[]} warnings
 * @param {Language} language
 */
function noticed(warnings, language) {
  if (!warnings.length) return nothing;
  return html`<div class="note" role="note"><p><strong>${texts(language).warnings}</strong></p>
    <ul lang="en">${warnings.map((text) => html`<li>${printable(text)}</li>`)}</ul></div>`;
}

/** Return what stands in the place of an answer before it is there. */
export function waiting() {
  return html`<div class="waiting" aria-hidden="true"><span></span><span></span><span></span></div>`;
}

/**
 * Return what was wrong: each fault with its place, what was expected and a hint.
 * @param {Fault} fault
 * @param {Language} language
 * @param {((fault: OneFault) => (() => void) | null) | null} [place]
 */
export function faultOf(fault, language, place = null) {
  const t = texts(language);
  const faults = fault.faults?.length ? fault.faults : [{ message: fault.message }];
  if (fault.unstarted) return waiting(); // the shell says so, with what can be done
  if (fault.stopped) return html`<p class="note" role="status">${t.stopped}</p>`;
  return html`<div class="fault" role="alert">
    <p class="word">${fault.unexpected ? t.wrong_engine : t.wrong_input}</p>
    <ul>${faults.map((one) => html`<li>${oneFault(one, language, place?.(one) ?? null, Boolean(fault.own))}</li>`)}
      ${fault.more ? html`<li>${t.more_faults(numberText(fault.more, language))}</li>` : nothing}</ul>
    ${fault.unexpected ? html`<p>${t.wrong_engine_hint}</p>` : nothing}</div>`;
}

/**
 * @param {OneFault} fault
 * @param {Language} language
 * @param {(() => void) | null} go
 * @param {boolean} own  whether the page says it; the engine speaks English
 */
function oneFault(fault, language, go, own) {
  const t = texts(language);
  const line = fault.line ? t.fault_place(String(fault.line), fault.column ? printable(String(fault.column)) : '') : '';
  const where = [
    fault.file && fault.file !== PASTED ? printable(fault.file) : '',
    line,
    fault.query_id ? t.fault_query(printable(fault.query_id)) : '',
    fault.doc_id ? t.fault_doc(printable(fault.doc_id)) : '',
  ].filter(Boolean);
  const place = where.join(' · ');
  const more = [
    fault.expected ? t.fault_expected(printable(fault.expected)) : '',
    fault.hint ? t.fault_hint(printable(fault.hint)) : '',
  ].filter(Boolean);
  return html`${place ? html`<span class="place">${go ? html`<button type="button" class="in-cell" @click=${go}>${place}</button>` : place}</span>` : nothing}
    <span lang=${own ? nothing : 'en'}>${printable(fault.message)}</span>
    ${more.map((text) => html`<span class="quiet">${text}</span>`)}`;
}
