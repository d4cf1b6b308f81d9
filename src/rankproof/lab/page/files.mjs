// @ts-check
// Which texts and files did a person give, how large are they, and what did they hold before?

/** As in the engine, which refuses more too: a page that hangs tells nobody anything. */
export const MOST_BYTES = 5 * 1024 * 1024;
/** What the way back may hold, in characters. */
const MOST_KEPT = 20_000_000;
/** Typing that goes on within so many milliseconds is one step back. */
const ONE_STEP = 800;

/**
 * One file: its text, or, where it is no text, its bytes.
 * @typedef {object} Given
 * @property {string} name  empty for what was pasted or typed
 * @property {string} text
 * @property {string} [base64]
 * @property {number} size  bytes, as UTF-8
 */

/** @typedef {Readonly<Record<string, Given>>} State  by the name of its place */

/** @type {Given} */
export const NOTHING = { name: '', text: '', size: 0 };

/** What was given, place by place, and the way back. */
export class Files {
  /** @type {State} */
  #now;
  /** @type {State[]} */
  #before = [];
  /** @type {State[]} */
  #after = [];
  #typed = { place: '', at: 0 };

  /** @param {State} [first]  what there is before anything was given */
  constructor(first = {}) {
    this.#now = first;
  }

  /**
   * Return what stands at a place; empty where nothing was given.
   * @param {string} place
   * @returns {Given}
   */
  at(place) {
    return this.#now[place] ?? NOTHING;
  }

  get isEmpty() {
    return Object.values(this.#now).every((one) => one.size === 0);
  }

  /** Bytes of all that was given. */
  get total() {
    return Object.values(this.#now).reduce((sum, one) => sum + one.size, 0);
  }

  /** Whether the last change was typed: the next key may come soon. */
  get isTyped() {
    return this.#typed.place !== '';
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * Take what a person types into a place.
   * @param {string} place
   * @param {string} text
   */
  type(place, text) {
    const now = Date.now();
    const goesOn = this.#typed.place === place && now - this.#typed.at < ONE_STEP;
    const name = text ? this.at(place).name : '';
    this.#change({ ...this.#now, [place]: givenText({ name, text }) }, goesOn);
    this.#typed = { place, at: now };
  }

  /**
   * Put files, or texts, in places of what was there.
   * @param {State} given
   */
  put(given) {
    this.#change({ ...this.#now, ...given }, false);
    this.#typed = { place: '', at: 0 };
  }

  /** Go a step back. */
  undo() {
    const state = this.#before.pop();
    if (!state) return;
    this.#after.push(this.#now);
    this.#now = state;
    this.#typed = { place: '', at: 0 };
  }

  /** Go a step forward again. */
  redo() {
    const state = this.#after.pop();
    if (!state) return;
    this.#before.push(this.#now);
    this.#now = state;
    this.#typed = { place: '', at: 0 };
  }

  /**
   * @param {State} next
   * @param {boolean} sameStep
   */
  #change(next, sameStep) {
    if (!sameStep) this.#before.push(this.#now);
    this.#after = [];
    this.#now = next;
    while (this.#before.length > 1 && this.#before.reduce((sum, state) => sum + lengthOf(state), 0) > MOST_KEPT) this.#before.shift();
  }
}

/** @param {State} state */
function lengthOf(state) {
  return Object.values(state).reduce((sum, one) => sum + one.text.length + (one.base64?.length ?? 0), 0);
}

/**
 * Return a text with its size.
 * @param {{name: string, text: string}} given
 * @returns {Given}
 */
export function givenText({ name, text }) {
  return { name, text, size: new Blob([text]).size };
}

/**
 * Read a file that the person opened or dropped. What is no UTF-8 text, such as gzip, is kept as bytes.
 * @param {File} file  at most MOST_BYTES large
 * @returns {Promise<Given>}
 */
export async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (bytes.includes(0)) throw new TypeError('no text');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name: file.name, text, size: bytes.length };
  } catch {
    return { name: file.name, text: '', base64: base64Of(bytes), size: bytes.length };
  }
}

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 0x8000) parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}

/**
 * Return a file as the engine takes it.
 * @param {Given} given
 * @returns {{name?: string, text: string} | {name: string, base64: string}}
 */
export function asArgument({ name, text, base64 }) {
  if (base64 !== undefined) return { name, base64 };
  return name ? { name, text } : { text };
}
