// @ts-check
// What does a person set with? Each control is a template: a label, a value, and what happens when it changes.

import { html, nothing } from './lit.mjs';

/**
 * @typedef {object} NumberControl
 * @property {string} label
 * @property {number} value
 * @property {(value: number) => void} change  told only numbers within the bounds
 * @property {number} [min]
 * @property {number} [max]
 * @property {number | 'any'} [step]  1 if not given: whole numbers only
 * @property {string} [hint]
 */

/**
 * A field for a number. What is no number within the bounds is not told, and goes when the field is left.
 * @param {NumberControl} control
 */
export function number({ label, value, change, min, max, step = 1, hint }) {
  const read = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.value !== '' && field.checkValidity() && field.valueAsNumber !== value) change(field.valueAsNumber);
  };
  const left = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.value === '' || !field.checkValidity()) field.value = String(value);
  };
  return html`<label class="control"><span>${label}</span>
    <input type="number" autocomplete="off" inputmode=${step === 1 ? 'numeric' : 'decimal'} min=${min ?? nothing} max=${max ?? nothing} step=${step} .value=${String(value)} @input=${read} @change=${left}>
    ${hintOf(hint)}</label>`;
}

/**
 * @typedef {object} Option
 * @property {string} value
 * @property {string} label
 */

/**
 * A list to choose one from.
 * @param {{label: string, value: string, options: Option[], change: (value: string) => void, hint?: string, unseen?: boolean}} control
 *   unseen: the label is only read out
 */
export function choice({ label, value, options, change, hint, unseen = false }) {
  return html`<label class="control"><span class=${unseen ? 'unseen' : ''}>${label}</span>
    <select autocomplete="off" @change=${(/** @type {any} */ event) => change(event.target.value)}>
      ${options.map((one) => html`<option value=${one.value} .selected=${one.value === value}>${one.label}</option>`)}
    </select>${hintOf(hint)}</label>`;
}

/**
 * A few options beside each other, of which one holds.
 * @param {{label: string, name: string, value: string, options: Option[], change: (value: string) => void}} control
 */
export function segments({ label, name, value, options, change }) {
  return html`<fieldset class="segments"><legend class="unseen">${label}</legend>
    ${options.map(
      (one) => html`<label><input type="radio" name=${name} value=${one.value} .checked=${one.value === value} @change=${() => change(one.value)}><span>${one.label}</span></label>`,
    )}</fieldset>`;
}

/**
 * A line of text.
 * @param {{label: string, value: string, change: (value: string) => void, hint?: string}} control
 */
export function line({ label, value, change, hint }) {
  return html`<label class="control"><span>${label}</span>
    <input type="text" autocomplete="off" spellcheck="false" .value=${value} @input=${(/** @type {any} */ event) => change(event.target.value)}>${hintOf(hint)}</label>`;
}

/**
 * A box for much text. The browser keeps none of it.
 * @param {{id: string, label: string, value: string, change: (value: string) => void, keys?: (event: KeyboardEvent) => void,
 *   invalid?: boolean, described?: string, rows?: number}} control
 */
export function textArea({ id, label, value, change, keys, invalid = false, described, rows = 12 }) {
  return html`<label class="text"><span>${label}</span>
    <textarea id=${id} rows=${rows} wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" autocorrect="off" aria-invalid=${invalid ? 'true' : nothing} aria-describedby=${described ?? nothing} .value=${value} @input=${(/** @type {any} */ event) => change(event.target.value)} @keydown=${keys ?? nothing}></textarea></label>`;
}

/**
 * A button.
 * @param {{label: string, act: () => void, main?: boolean, disabled?: boolean, described?: string}} control  main: the one to press first
 */
export function button({ label, act, main = false, disabled = false, described }) {
  return html`<button type="button" class=${main ? 'main' : ''} ?disabled=${disabled} aria-describedby=${described ?? nothing} @click=${act}>${label}</button>`;
}

/**
 * A button that leads a step further. At the end it does nothing, and keeps the focus: a keyboard must not lose its place.
 * @param {{label: string, act: () => void, ended: boolean}} control
 */
export function stepButton({ label, act, ended }) {
  return html`<button type="button" aria-disabled=${ended ? 'true' : nothing} @click=${() => ended || act()}>${label}</button>`;
}

/**
 * A button that opens files of the person's own.
 * @param {{label: string, take: (files: File[]) => void, multiple?: boolean}} control
 */
export function fileButton({ label, take, multiple = false }) {
  const chosen = (/** @type {any} */ event) => {
    const files = [...event.target.files];
    event.target.value = ''; // the same file may be opened again after it was changed
    if (files.length) take(files);
  };
  return html`<label class="file"><input type="file" class="unseen" ?multiple=${multiple} @change=${chosen}><span>${label}</span></label>`;
}

/** @param {string | undefined} hint */
function hintOf(hint) {
  return hint ? html`<small class="quiet">${hint}</small>` : nothing;
}

/**
 * Select a place in a text box and bring it into sight. Lines and columns count from 1, columns in code points.
 * @param {HTMLTextAreaElement} box
 * @param {number} line
 * @param {number | null} [column]  null: the whole line
 */
export function selectPlace(box, line, column = null) {
  const lines = box.value.split('\n');
  const at = Math.min(line, lines.length) - 1;
  const before = lines.slice(0, at).reduce((length, one) => length + one.length + 1, 0);
  const inLine = lines[at];
  const from = column === null ? 0 : Math.min([...inLine].slice(0, column - 1).join('').length, inLine.length);
  box.focus();
  box.setSelectionRange(before + from, before + Math.max(inLine.length, from));
  const height = box.scrollHeight / Math.max(1, lines.length);
  box.scrollTop = Math.max(0, at * height - box.clientHeight / 2);
  const widest = Math.max(1, ...lines.map((one) => one.length));
  box.scrollLeft = Math.max(0, (from / widest) * box.scrollWidth - box.clientWidth / 2);
}
