// @ts-check
// How does a person give judgments and rankings: paste, open, drop, or the sample; and with which K and contract?

import { button, choice, number, segments } from '../controls.mjs';
import { givenText } from '../files.mjs';
import { html, nothing } from '../lit.mjs';
import { box, dropArea, opener, put, sizeOf, slot, step, take, ways } from '../places.mjs';
import { labTexts } from './lab_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const ROLES = ['qrels', 'before', 'after'];

/**
 * Return the places of the input that was chosen.
 * @param {Context} context
 */
export function placesOf({ settings }) {
  return settings.input === 'one' ? ['text'] : ROLES;
}

/**
 * Return the part of the tab in which everything is given.
 * @param {Context} context
 * @param {boolean} invalid  whether what was given cannot be calculated
 */
export function given(context, invalid) {
  const { language, settings, set, memory } = context;
  const t = labTexts(language);
  const taken = (/** @type {File[]} */ files, /** @type {string | undefined} */ place) => fill(context, files, place ?? placesOf(context)[0]);
  const inputs =
    settings.input === 'one'
      ? oneFile(context, invalid)
      : html`<p class="quiet" id="given-hint">${t.drop_runs}</p>
        ${ROLES.map((place) => slot(context, place, { label: labelOf(context, place), rows: 2, ...shared(context, invalid), multiple: true, take: taken }))}`;
  return html`<section class="given" aria-label=${t.given}>
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
    ${dropArea(taken, inputs)}
    <div class="controls">
      ${number({ label: t.k, value: settings.k, min: 1, max: 1000, change: (k) => set({ k }) })}
      ${contracts(context)}
    </div>
    ${rules(context)}
    <div class="buttons">
      ${button({ label: t.calculate, main: true, described: 'calculate-hint', act: () => calculate(context) })}
      ${ways(context, ['text', ...ROLES])}
    </div>
    <p class="quiet" id="calculate-hint">${t.calculate_hint} ${t.kept}</p>
  </section>`;
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function oneFile(context, invalid) {
  const t = labTexts(context.language);
  const { sample } = context.memory;
  const laid = (/** @type {string} */ name, /** @type {string} */ text) => put(context, { text: givenText({ name, text }) });
  return html`<div class="buttons">
      ${opener(context, 'text', { take: (files) => fill(context, files, 'text') })}
      ${button({ label: t.sample_json, disabled: !sample, act: () => laid('lab.json', sample.json) })}
      ${button({ label: t.sample_csv, disabled: !sample, act: () => laid('lab.csv', sample.csv) })}
    </div>
    ${box(context, 'text', { label: labelOf(context, 'text'), rows: 16, ...shared(context, invalid) })}
    <p class="quiet size" id="given-hint"><span>${t.drop_one}</span>${sizeOf(context, 'text')}</p>`;
}

/**
 * @param {Context} context
 * @param {string} place
 */
function labelOf({ language }, place) {
  return labTexts(language)[/** @type {'text'} */ (place)];
}

/**
 * Return what every text box here has.
 * @param {Context} context
 * @param {boolean} invalid
 */
function shared(context, invalid) {
  return { invalid, described: 'given-hint', keys: (/** @type {KeyboardEvent} */ event) => keys(context, event) };
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
 * Take files that were opened or dropped, and show the input that they are of.
 * @param {Context} context
 * @param {File[]} files
 * @param {string} place  where one file goes; several are told apart by their names
 */
async function fill(context, files, place) {
  if (!files.length) return;
  const many = files.length > 1;
  await take(context, many ? rolesOf(files) : { [place]: files[0] });
  const input = many || place !== 'text' ? 'runs' : 'one';
  if (input !== context.settings.input) context.set({ input });
}

/**
 * Tell judgments and runs apart by their names: qrels name themselves, and after sorts behind before.
 * @param {File[]} files
 * @returns {Record<string, File>}
 */
function rolesOf(files) {
  const names = [...files].sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  const called = (/** @type {RegExp} */ pattern) => names.find((file) => pattern.test(file.name));
  const qrels = called(/qrel|judg|판정/i) ?? names[0];
  const others = names.filter((file) => file !== qrels);
  const after = others.find((file) => /after|rerank|후/i.test(file.name)) ?? others[1];
  const before = others.find((file) => file !== after) ?? others[0];
  return after && after !== before ? { qrels, before, after } : { qrels, before };
}
