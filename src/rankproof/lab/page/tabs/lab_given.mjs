// @ts-check
// How does a person give judgments and rankings: paste, open, drop, or the sample; and with which K and contract?

import { button, choice, number, segments } from '../controls.mjs';
import { givenText } from '../files.mjs';
import { html, nothing } from '../lit.mjs';
import { box, dropArea, isWrong, opener, put, sizeOf, slot, step, take, ways } from '../places.mjs';
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
 * @param {import('../answers.mjs').Fault | null} fault  why what was given cannot be calculated
 */
export function given(context, fault) {
  const { language, settings, set, memory } = context;
  const t = labTexts(language);
  const taken = (/** @type {File[]} */ files, /** @type {string | undefined} */ place) => fill(context, files, place ?? placesOf(context)[0]);
  const inputs =
    settings.input === 'one'
      ? oneFile(context, fault)
      : html`<p class="quiet" id="given-hint">${t.drop_runs}</p>
        ${ROLES.map((place) => slot(context, place, { label: labelOf(context, place), rows: 2, ...shared(context, place, fault), multiple: true, take: taken }))}`;
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
 * @param {import('../answers.mjs').Fault | null} fault
 */
function oneFile(context, fault) {
  const t = labTexts(context.language);
  const { sample } = context.memory;
  const laid = (/** @type {string} */ name, /** @type {string} */ text) => put(context, { text: givenText({ name, text }) });
  return html`<div class="buttons">
      ${opener(context, 'text', { take: (files) => fill(context, files, 'text') })}
      ${button({ label: t.sample_json, disabled: !sample, act: () => laid('lab.json', sample.json) })}
      ${button({ label: t.sample_csv, disabled: !sample, act: () => laid('lab.csv', sample.csv) })}
    </div>
    ${box(context, 'text', { label: labelOf(context, 'text'), rows: 16, ...shared(context, 'text', fault) })}
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
 * @param {string} place
 * @param {import('../answers.mjs').Fault | null} fault
 */
function shared(context, place, fault) {
  return { invalid: isWrong(context, placesOf(context), place, fault), described: 'given-hint', keys: (/** @type {KeyboardEvent} */ event) => keys(context, event) };
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
  if (memory.failed) forget('whole');
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
  if (files.length > ROLES.length) {
    context.memory.refused = { name: '', message: labTexts(context.language).too_many };
    context.redraw();
    return;
  }
  await take(context, many ? rolesOf(files) : { [place]: files[0] });
  const input = many || place !== 'text' ? 'runs' : 'one'; // of a tab that may have been left meanwhile
  if (input !== context.settings.input) context.set({ input });
}

const [JUDGED, BEFORE, AFTER] = [/qrel|judg|gold|truth|판정|정답/i, /before|candidate|baseline|후보|이전/i, /after|rerank|이후|리랭/i];

/**
 * Tell judgments and runs apart by their names: what is called neither before nor after are the judgments.
 * @param {File[]} files
 * @returns {Record<string, File>}
 */
function rolesOf(files) {
  const sorted = [...files].sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  const called = (/** @type {File[]} */ among, /** @type {RegExp} */ pattern) => among.find((file) => pattern.test(file.name));
  const [first, second] = [called(sorted, BEFORE), called(sorted, AFTER)];
  if (sorted.length === 2 && first && second && first !== second && !called(sorted, JUDGED)) return { before: first, after: second };
  const neither = sorted.find((file) => !BEFORE.test(file.name) && !AFTER.test(file.name));
  const qrels = called(sorted, JUDGED) ?? (sorted.length > 2 ? neither : null) ?? sorted[0];
  const runs = sorted.filter((file) => file !== qrels);
  const before = called(runs, BEFORE) ?? runs.find((file) => !AFTER.test(file.name)) ?? runs[0];
  const after = runs.find((file) => file !== before);
  return after ? { qrels, before, after } : { qrels, before };
}
