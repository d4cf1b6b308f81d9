// @ts-check
// How does a person fill the places of files: type, paste, open, drop, go back; and where in them is a fault?

import { button, fileButton, selectPlace, textArea } from './controls.mjs';
import { MOST_BYTES, NOTHING, read } from './files.mjs';
import { numberText, sizeText } from './format.mjs';
import { texts } from './i18n.mjs';
import { html, nothing } from './lit.mjs';

/** @typedef {import('./answered.mjs').OneFault} OneFault */
/** @typedef {import('./tabs/tabs.mjs').Context} Context  its memory holds `files`, and `refused`: what was too large */

/** @param {string} place */
const idOf = (place) => `given-${place}`;

/**
 * Return the text box of a place, or the name of a file that is no text.
 * @param {Context} context
 * @param {string} place
 * @param {{label: string, rows: number, invalid: boolean, described: string, keys?: (event: KeyboardEvent) => void}} options
 */
export function box(context, place, { label, ...options }) {
  const { language, memory, redraw } = context;
  const { name, text, base64, size } = memory.files.at(place);
  const t = texts(language);
  if (base64 !== undefined) {
    return html`<p class="control"><span>${label}</span></p><div class="binary">${t.binary(name, sizeText(size, language))}
      ${button({ label: t.clear, act: () => put(context, { [place]: NOTHING }) })}</div>`;
  }
  const typed = (/** @type {string} */ value) => {
    memory.refused = null;
    memory.files.type(place, value);
    redraw();
  };
  return textArea({ id: idOf(place), label, value: text, change: typed, ...options });
}

/**
 * Return a place with its text box, what opens a file, and that file's name and size.
 * @param {Context} context
 * @param {string} place
 * @param {Parameters<typeof box>[2] & {multiple?: boolean, take: (files: File[], place: string) => void}} options
 */
export function slot(context, place, { take, multiple, ...options }) {
  return html`<div class="slot" data-place=${place}>${box(context, place, options)}
    <div class="buttons">${opener(context, place, { take, multiple })}<span class="quiet">${context.memory.files.at(place).name} ${sizeOf(context, place)}</span></div></div>`;
}

/**
 * @param {Context} context
 * @param {string} place
 * @param {{take: (files: File[], place: string) => void, multiple?: boolean}} options
 */
export function opener({ language }, place, { take, multiple }) {
  return fileButton({ label: texts(language).open, multiple, take: (files) => take(files, place) });
}

/**
 * Return how large what stands at a place is, beside what may.
 * @param {Context} context
 * @param {string} place
 */
export function sizeOf({ language, memory }, place) {
  const { size } = memory.files.at(place);
  return size ? html`<span>${texts(language).size(sizeText(size, language), sizeText(MOST_BYTES, language))}</span>` : nothing;
}

/**
 * Return whether files are dragged.
 * @param {DragEvent} event
 */
export function hasFiles(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Return an area on which files may be dropped.
 * @param {(files: File[], place: string | undefined) => void} take  place: the one they were dropped on, if on one
 * @param {unknown} content
 */
export function dropArea(take, content) {
  const mark = (/** @type {DragEvent} */ event) => {
    if (!hasFiles(event)) return; // a text may be dragged into a box
    event.preventDefault();
    /** @type {HTMLElement} */ (event.currentTarget).classList.toggle('dropping', event.type === 'dragover');
  };
  const dropped = (/** @type {DragEvent} */ event) => {
    if (!hasFiles(event)) return;
    mark(event);
    const under = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-place]'));
    take([...(event.dataTransfer?.files ?? [])], under?.dataset.place);
  };
  return html`<div @dragover=${mark} @dragleave=${mark} @drop=${dropped}>${content}</div>`;
}

/**
 * Return the buttons that go back, go forward again, and empty every place.
 * @param {Context} context
 * @param {readonly string[]} places
 */
export function ways(context, places) {
  const { files } = context.memory;
  const t = texts(context.language);
  return html`${button({ label: t.undo, disabled: !files.canUndo, act: () => step(context, 'undo') })}
    ${button({ label: t.redo, disabled: !files.canRedo, act: () => step(context, 'redo') })}
    ${button({ label: t.clear, disabled: files.isEmpty, act: () => put(context, Object.fromEntries(places.map((place) => [place, NOTHING]))) })}`;
}

/**
 * @param {Context} context
 * @param {'undo' | 'redo'} way
 */
export function step({ memory, redraw }, way) {
  memory.files[way]();
  memory.refused = null;
  redraw();
}

/**
 * Put texts or files in places of what was there.
 * @param {Context} context
 * @param {import('./files.mjs').State} state
 */
export function put({ memory, redraw }, state) {
  memory.files.put(state);
  memory.refused = null;
  memory.jump = true;
  redraw();
}

/**
 * Read files that were opened or dropped into their places; where one is too large, none is read.
 * @param {Context} context
 * @param {Record<string, File>} files  by place
 */
export async function take(context, files) {
  const { memory, redraw } = context;
  const large = Object.values(files).find((file) => file.size > MOST_BYTES);
  if (large) {
    memory.refused = { name: large.name, size: large.size };
    redraw();
    return;
  }
  try {
    const entries = await Promise.all(Object.entries(files).map(async ([place, file]) => [place, await read(file)]));
    put(context, Object.fromEntries(entries));
  } catch (error) {
    refuse(context, Object.values(files).map((file) => file.name).join(', '), error);
  }
}

/**
 * Say what could not be had.
 * @param {Context} context
 * @param {string} name
 * @param {unknown} error  a folder that was dropped, say, or an engine that crashed
 */
export function refuse({ language, memory, redraw }, name, error) {
  memory.refused = { name, message: texts(language).unreadable(error instanceof Error ? error.message : String(error)) };
  redraw();
}

/**
 * Return why something is too large, before anything of it is read.
 * @param {Context} context
 * @param {readonly string[]} places
 * @param {string} hint
 * @returns {import('./answers.mjs').Fault | null}
 */
export function tooLarge({ language, memory }, places, hint) {
  const refused = memory.refused ?? places.map((place) => memory.files.at(place)).find((one) => one.size > MOST_BYTES);
  if (!refused) return null;
  const t = texts(language);
  if (refused.message) return { message: refused.message, own: true, faults: [{ message: refused.message, file: refused.name || null }] };
  const message = t.too_large(sizeText(refused.size, language), numberText(refused.size, language));
  return { message, own: true, faults: [{ message, file: refused.name || null, expected: t.too_large_most(sizeText(MOST_BYTES, language)), hint }] };
}

/**
 * Return the place that a fault is about; null where it names none.
 * @param {Context} context
 * @param {readonly string[]} places
 * @param {OneFault} fault
 */
function placeOf({ memory }, places, { file }) {
  return places.find((one) => (memory.files.at(one).name || one) === file) ?? (places.length === 1 ? places[0] : null);
}

/**
 * Return whether what stands at a place is wrong: where no fault names a place, each may be.
 * @param {Context} context
 * @param {readonly string[]} places
 * @param {string} place
 * @param {import('./answers.mjs').Fault | null} error
 */
export function isWrong(context, places, place, error) {
  if (!error || error.stopped || error.unexpected || error.unstarted) return false;
  const named = (error.faults ?? []).map((fault) => placeOf(context, places, fault)).filter(Boolean);
  return named.length === 0 || named.includes(place);
}

/**
 * Return what leads to the place of a fault; null where it has none in a text box.
 * @param {Context} context
 * @param {readonly string[]} places
 * @param {OneFault} fault
 * @returns {(() => void) | null}
 */
export function wayTo(context, places, fault) {
  const { line, column } = fault;
  const place = placeOf(context, places, fault);
  const found = place && /** @type {HTMLTextAreaElement | null} */ (document.getElementById(idOf(place)));
  return found && line ? () => selectPlace(found, line, typeof column === 'number' ? column : null) : null;
}

/**
 * Select the place of the first fault, once, where the person asked for the numbers and did not just type on.
 * @param {Context} context
 * @param {readonly string[]} places
 * @param {import('./answers.mjs').Answer} answer
 */
export function showPlace(context, places, { error }) {
  if (!context.memory.jump) return;
  context.memory.jump = false;
  const fault = error?.faults?.[0];
  if (fault) requestAnimationFrame(() => wayTo(context, places, fault)?.());
}
