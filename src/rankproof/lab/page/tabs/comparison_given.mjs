// @ts-check
// Which corpus, queries and judgments are searched: the packaged example, or what a person pastes, opens or drops?

import { button, fileButton, number, segments, textArea } from '../controls.mjs';
import { givenText, MOST_BYTES, NOTHING, read } from '../files.mjs';
import { sizeText } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { comparisonTexts } from './comparison_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

/** The places of files, as the engine calls them. */
export const ROLES = ['corpus', 'queries', 'qrels'];
export const DEEPEST = 100;

/**
 * Return the part of the tab in which everything is set.
 * @param {Context} context
 * @param {boolean} invalid  whether what was given cannot be searched
 */
export function given(context, invalid) {
  const { language, settings, set } = context;
  const t = comparisonTexts(language);
  return html`<div class=${settings.data === 'own' ? 'given' : ''} role="group" aria-label=${t.given}>
    ${segments({
      label: t.data,
      name: 'data',
      value: settings.data,
      options: [{ value: 'example', label: t.example }, { value: 'own', label: t.own }],
      change: (data) => set({ data }),
    })}
    <div class="controls">${number({ label: t.k, value: settings.k, min: 1, max: DEEPEST, change: (k) => set({ k }) })}</div>
    ${settings.data === 'own' ? own(context, invalid) : nothing}
  </div>`;
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function own(context, invalid) {
  const { language, memory } = context;
  const t = comparisonTexts(language);
  return html`<p class="quiet" id="own-hint">${t.own_hint}</p>
    <div class="buttons">${button({ label: t.start, act: () => start(context) })}</div>
    ${ROLES.map((role) => slot(context, role, invalid))}
    <div class="buttons">
      ${button({ label: t.undo, disabled: !memory.files.canUndo, act: () => step(context, 'undo') })}
      ${button({ label: t.redo, disabled: !memory.files.canRedo, act: () => step(context, 'redo') })}
      ${button({ label: t.clear, disabled: memory.files.isEmpty, act: () => put(context, Object.fromEntries(ROLES.map((role) => [role, NOTHING]))) })}
    </div>
    <p class="quiet">${t.kept}</p>`;
}

/**
 * @param {Context} context
 * @param {string} role
 * @param {boolean} invalid
 */
function slot(context, role, invalid) {
  const { language, memory } = context;
  const t = comparisonTexts(language);
  const { name, size } = memory.files.at(role);
  const dropped = (/** @type {DragEvent} */ event) => {
    drag(event, false);
    take(context, [...(event.dataTransfer?.files ?? [])], role);
  };
  return html`<div class="slot" @dragover=${(/** @type {DragEvent} */ event) => drag(event, true)} @dragleave=${(/** @type {DragEvent} */ event) => drag(event, false)} @drop=${dropped}>
    ${box(context, role, invalid)}
    <div class="buttons">${fileButton({ label: t.open, take: (files) => take(context, files, role) })}
      <span class="quiet">${name} ${size ? t.size(sizeText(size, language), sizeText(MOST_BYTES, language)) : ''}</span></div></div>`;
}

/**
 * @param {Context} context
 * @param {string} role
 * @param {boolean} invalid
 */
function box(context, role, invalid) {
  const { language, memory, redraw } = context;
  const t = comparisonTexts(language);
  const label = t[/** @type {'corpus'} */ (role)];
  const { name, text, base64, size } = memory.files.at(role);
  if (base64 !== undefined) {
    return html`<p class="control"><span>${label}</span></p><div class="binary">${t.binary(name, sizeText(size, language))}
      ${button({ label: t.clear, act: () => put(context, { [role]: NOTHING }) })}</div>`;
  }
  const typed = (/** @type {string} */ value) => {
    memory.refused = null;
    memory.files.type(role, value);
    redraw();
  };
  return textArea({ id: `own-${role}`, label, value: text, rows: 5, invalid, described: 'own-hint', change: typed });
}

/**
 * Lay the packaged example out, to be changed.
 * @param {Context} context
 */
async function start(context) {
  const texts = await context.call('example_texts', {});
  put(context, Object.fromEntries(ROLES.map((role) => [role, givenText(texts[role])])));
}

/**
 * @param {Context} context
 * @param {'undo' | 'redo'} way
 */
function step({ memory, redraw }, way) {
  memory.files[way]();
  memory.refused = null;
  redraw();
}

/**
 * @param {Context} context
 * @param {import('../files.mjs').State} state
 */
function put({ memory, redraw }, state) {
  memory.files.put(state);
  memory.refused = null;
  redraw();
}

/**
 * Take a file that was opened or dropped; one that is too large is not read.
 * @param {Context} context
 * @param {File[]} files
 * @param {string} role
 */
async function take(context, [file], role) {
  if (!file) return;
  if (file.size > MOST_BYTES) {
    context.memory.refused = { name: file.name, size: file.size };
    context.redraw();
    return;
  }
  put(context, { [role]: await read(file) });
}

/**
 * @param {DragEvent} event
 * @param {boolean} on
 */
function drag(event, on) {
  event.preventDefault();
  /** @type {HTMLElement} */ (event.currentTarget).classList.toggle('dropping', on);
}
