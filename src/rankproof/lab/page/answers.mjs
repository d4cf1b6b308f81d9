// @ts-check
// What does the engine answer to what a tab asks now?

/**
 * The state of a question: the newest result or error, and whether a newer one is on its way.
 * @typedef {object} Answer
 * @property {any} result  of the last question that was answered well; null before
 * @property {Fault | null} error  of the last question, where it could not be answered
 * @property {boolean} pending
 * @property {any} asked  the arguments that result or error belong to
 * @property {() => void} again  asks the same once more
 */

/**
 * Why a question could not be answered.
 * @typedef {object} Fault
 * @property {string} message
 * @property {{message: string, file?: string | null, line?: number | null, column?: number | string | null,
 *   query_id?: string | null, doc_id?: string | null, expected?: string | null, hint?: string | null}[]} [faults]
 * @property {number} [more]
 * @property {boolean} [unexpected]  it is rankproof that is wrong, not the input
 * @property {boolean} [own]  the page says it, in its language
 * @property {boolean} [stopped]  the person stopped it
 * @property {boolean} [unstarted]  the engine was not there
 */

/** @typedef {{wanted: any, timer: ReturnType<typeof setTimeout> | null, running: boolean, answer: Answer, name: string}} Slot */

/** Asks the engine, one question of a kind at a time; while it works, only the newest question waits. */
export class Answers {
  /** @type {Map<string, Slot>} */
  #slots = new Map();
  #call;
  #changed;

  /**
   * @param {(name: string, args: any) => Promise<any>} call  resolves with a result, or throws an Refused
   * @param {() => void} changed  is told when an answer came
   */
  constructor(call, changed) {
    this.#call = call;
    this.#changed = changed;
  }

  /**
   * Return the state of a question, and ask it if it is new. The first is asked at once, later ones after a pause.
   * @param {string} name  of the call
   * @param {any} args
   * @param {{slot?: string, delay?: number}} [options]  slot: tells apart several questions of one call
   * @returns {Answer}
   */
  ask(name, args, { slot = name, delay = 300 } = {}) {
    let one = this.#slots.get(slot);
    if (!one) {
      one = { wanted: undefined, timer: null, running: false, name, answer: { result: null, error: null, pending: false, asked: undefined, again: () => this.#again(slot) } };
      this.#slots.set(slot, one);
      delay = 0;
    }
    if (!equal(one.wanted, args)) {
      one.wanted = args;
      one.answer = { ...one.answer, pending: true };
      this.#later(one, delay);
    }
    return one.answer;
  }

  /** Ask now whatever waits for a pause. */
  hurry() {
    for (const one of this.#slots.values()) if (one.timer !== null) this.#later(one, 0);
  }

  /**
   * Forget a question and its answer.
   * @param {string} slot
   */
  forget(slot) {
    const one = this.#slots.get(slot);
    if (one?.timer) clearTimeout(one.timer);
    this.#slots.delete(slot);
  }

  /** @param {string} slot */
  #again(slot) {
    this.forget(slot);
    this.#changed();
  }

  /** Let whatever an engine that did not start could not answer be asked again. */
  again() {
    for (const [slot, one] of this.#slots) if (one.answer.error?.unstarted) this.#slots.delete(slot);
  }

  /**
   * @param {Slot} one
   * @param {number} delay
   */
  #later(one, delay) {
    if (one.timer !== null) clearTimeout(one.timer);
    const run = () => {
      one.timer = null;
      if (!one.running) this.#run(one);
    };
    if (delay) one.timer = setTimeout(run, delay);
    else run(); // the engine works while the page is drawn
  }

  /** @param {Slot} one */
  async #run(one) {
    const asked = one.wanted;
    one.running = true;
    let told;
    try {
      told = { result: await this.#call(one.name, asked), error: null };
    } catch (error) {
      told = { result: one.answer.result, error: faultOf(error) };
    }
    one.running = false;
    const newer = one.timer === null && !equal(one.wanted, asked);
    one.answer = { ...one.answer, ...told, asked, pending: newer || one.timer !== null };
    if (newer && one.wanted !== undefined) this.#run(one);
    this.#changed();
  }
}

/** A question that the engine did not answer, and why. */
export class Refused extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * @param {unknown} error
 * @returns {Fault}
 */
function faultOf(error) {
  if (error instanceof Refused) return error.fault;
  return { message: error instanceof Error ? error.message : String(error), unexpected: true };
}

/**
 * Return whether two JSON values are the same.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function equal(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => equal(one[key], other[key]));
}
