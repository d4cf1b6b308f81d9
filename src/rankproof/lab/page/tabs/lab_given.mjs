// @ts-check
// How does a person give judgments and rankings: paste, open, drop, or the sample; and with which K and contract?

import { button, choice, fileButton, number, segments, textArea } from '../controls.mjs';
import { givenText, MOST_BYTES, NOTHING, read } from '../files.mjs';
import { sizeText } from '../format.mjs';
import { html, nothing } from '../lit.mjs';
import { labTexts } from './lab_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const ROLES = ['qrels', 'before', 'after'];

/**
 * Return the part of the tab in which everything is given.
 * @param {Context} context
 * @param {boolean} invalid  whether what was given cannot be calculated
 */
export function given(context, invalid) {
  const { language, settings, set, memory, hurry } = context;
  const t = labTexts(language);
  const dropped = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    drag(event, false);
    take(context, [...(event.dataTransfer?.files ?? [])], placeUnder(event));
  };
  return html`<section class="given" aria-label=${t.given} @dragover=${over} @dragleave=${(/** @type {DragEvent} */ event) => drag(event, false)} @drop=${dropped}>
    ${segments({
      label: t.input,
      name: 'input',
      value: settings.input,
      options: [{ value: 'one', label: t.one }, { value: 'runs', label: t.runs }],
      change: (input) => {
        memory.refused = null;
        set({ input });
      },
    })}
    ${settings.input === 'one' ? oneFile(context, invalid) : html`<p class="quiet" id="given-hint">${t.drop_runs}</p>${ROLES.map((place) => slot(context, place, invalid))}`}
    <div class="controls">
      ${number({ label: t.k, value: settings.k, min: 1, max: 1000, change: (k) => set({ k }) })}
      ${contracts(context)}
    </div>
    ${rules(context)}
    <div class="buttons">
      ${button({ label: t.calculate, main: true, described: 'calculate-hint', act: () => calculate(context) })}
      ${button({ label: t.undo, disabled: !memory.files.canUndo, act: () => step(context, 'undo') })}
      ${button({ label: t.redo, disabled: !memory.files.canRedo, act: () => step(context, 'redo') })}
      ${button({ label: t.clear, disabled: memory.files.isEmpty, act: () => put(context, Object.fromEntries(['text', ...ROLES].map((place) => [place, NOTHING]))) })}
    </div>
    <p class="quiet" id="calculate-hint">${t.calculate_hint} ${t.kept}</p>
  </section>`;
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function oneFile(context, invalid) {
  const { language, memory } = context;
  const t = labTexts(language);
  const { sample } = memory;
  return html`<div class="buttons">
      ${opener(context, 'text')}
      ${button({ label: t.sample_json, disabled: !sample, act: () => put(context, { text: givenText({ name: 'lab.json', text: sample.json }) }) })}
      ${button({ label: t.sample_csv, disabled: !sample, act: () => put(context, { text: givenText({ name: 'lab.csv', text: sample.csv }) }) })}
    </div>
    ${box(context, 'text', invalid, 16)}
    <p class="quiet size" id="given-hint"><span>${t.drop_one}</span>${size(context, 'text')}</p>`;
}

/**
 * @param {Context} context
 * @param {string} place
 * @param {boolean} invalid
 */
function slot(context, place, invalid) {
  return html`<div class="slot" data-place=${place}>${box(context, place, invalid, 2)}
    <div class="buttons">${opener(context, place)}<span class="quiet">${context.memory.files.at(place).name} ${size(context, place)}</span></div></div>`;
}

/**
 * @param {Context} context
 * @param {string} place
 * @param {boolean} invalid
 * @param {number} rows
 */
function box(context, place, invalid, rows) {
  const { files } = context.memory;
  const t = labTexts(context.language);
  const label = t[/** @type {'text'} */ (place)];
  const { name, text, base64, size: bytes } = files.at(place);
  if (base64 !== undefined) {
    return html`<p class="control"><span>${label}</span></p><div class="binary">${t.binary(name, sizeText(bytes, context.language))}
      ${button({ label: t.clear, act: () => put(context, { [place]: NOTHING }) })}</div>`;
  }
  const typed = (/** @type {string} */ value) => {
    context.memory.refused = null;
    files.type(place, value);
    context.redraw();
  };
  return textArea({ id: `given-${place}`, label, value: text, rows, invalid, described: 'given-hint', change: typed, keys: (event) => keys(context, event) });
}

/**
 * @param {Context} context
 * @param {string} place
 */
function size({ language, memory }, place) {
  const { size: bytes } = memory.files.at(place);
  if (!bytes) return nothing;
  return html`<span>${labTexts(language).size(sizeText(bytes, language), sizeText(MOST_BYTES, language))}</span>`;
}

/**
 * @param {Context} context
 * @param {string} place
 */
function opener(context, place) {
  return fileButton({ label: labTexts(context.language).open, multiple: place !== 'text', take: (files) => take(context, files, place) });
}

/** @param {Context} context */
function contracts(context) {
  const { language, settings, set, memory } = context;
  const about = context.ask('about', {}).result;
  const usual = usualContract(context);
  const names = about ? about.contracts.map((/** @type {any} */ one) => one.name) : [usual];
  return choice({
    label: labTexts(language).contract,
    value: settings.contract || usual,
    options: names.map((/** @type {string} */ name) => ({ value: name, label: name })),
    change: (name) => {
      memory.jump = false;
      set({ contract: name === usual ? '' : name });
    },
  });
}

/** @param {Context} context */
function usualContract({ settings }) {
  return settings.input === 'one' ? 'rag-ranking-metrics-v2' : 'rankproof';
}

/** @param {Context} context */
function rules(context) {
  const { language, settings } = context;
  const about = context.ask('about', {}).result;
  const name = settings.contract || usualContract(context);
  const found = about?.contracts.find((/** @type {any} */ one) => one.name === name);
  if (!found) return nothing;
  const answers = found.blocks[0].rows.map((/** @type {any[]} */ [rule, answer, question, says]) => html`<dt>${question[language]}</dt>
    <dd>${says[language]} <code>${rule} = ${answer}</code></dd>`);
  return html`<details class="plain rules"><summary>${labTexts(language).rules}</summary>
    <div><p>${found.whose[language]} (${found.version}), <code>${found.fingerprint}</code></p><dl>${answers}</dl></div></details>`;
}

/**
 * @param {Context} context
 * @param {KeyboardEvent} event
 */
function keys(context, event) {
  if (!(event.ctrlKey || event.metaKey)) return;
  const act = { Enter: () => calculate(context), z: () => step(context, event.shiftKey ? 'redo' : 'undo'), y: () => step(context, 'redo') }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault(); // the browser's own way back does not know what was opened or dropped
  act();
}

/** @param {Context} context */
function calculate({ memory, hurry, redraw, forget }) {
  memory.jump = true;
  if (memory.shown?.error) forget('quick'); // what was stopped, or crashed, is asked again
  hurry();
  redraw();
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
  memory.jump = true;
  redraw();
}

/**
 * Take files that were opened or dropped; what is too large is not read.
 * @param {Context} context
 * @param {File[]} files
 * @param {string} place  where one file goes; several are told apart by their names
 */
async function take(context, files, place) {
  const { memory, set, redraw, settings } = context;
  if (!files.length) return;
  const large = files.find((file) => file.size > MOST_BYTES);
  if (large) {
    memory.refused = { name: large.name, size: large.size };
    redraw();
    return;
  }
  const many = files.length > 1;
  const places = many ? rolesOf(files) : { [place]: files[0] };
  const entries = await Promise.all(Object.entries(places).map(async ([role, file]) => [role, await read(file)]));
  put(context, Object.fromEntries(entries));
  const input = many || place !== 'text' ? 'runs' : 'one';
  if (input !== settings.input) set({ input });
}

/**
 * Tell judgments and runs apart by their names: qrels name themselves, and after sorts behind before.
 * @param {File[]} files
 * @returns {Record<string, File>}
 */
export function rolesOf(files) {
  const names = [...files].sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  const called = (/** @type {RegExp} */ pattern) => names.find((file) => pattern.test(file.name));
  const qrels = called(/qrel|judg|판정/i) ?? names[0];
  const others = names.filter((file) => file !== qrels);
  const after = others.find((file) => /after|rerank|후/i.test(file.name)) ?? others[1];
  const before = others.find((file) => file !== after) ?? others[0];
  return after && after !== before ? { qrels, before, after } : { qrels, before };
}

/** @param {DragEvent} event */
function over(event) {
  event.preventDefault();
  drag(event, true);
}

/**
 * @param {DragEvent} event
 * @param {boolean} on
 */
function drag(event, on) {
  /** @type {HTMLElement} */ (event.currentTarget).classList.toggle('dropping', on);
}

/** @param {DragEvent} event */
function placeUnder(event) {
  const slotUnder = /** @type {HTMLElement} */ (event.target).closest?.('[data-place]');
  return slotUnder ? String(/** @type {HTMLElement} */ (slotUnder).dataset.place) : ROLES.some(() => document.getElementById('given-qrels')) ? 'qrels' : 'text';
}
