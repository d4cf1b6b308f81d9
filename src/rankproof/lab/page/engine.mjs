// @ts-check
// How does the page ask rankproof's own Python, and what happens if that takes too long or breaks?

/**
 * How far the engine has come. `stage`: `loading` (bytes of `total` have come), `starting` (Python starts),
 * `importing` (rankproof is imported), `ready`, or `failed` (`message` says why).
 * @typedef {{ stage: 'loading' | 'starting' | 'importing' | 'ready' | 'failed', loaded: number, total: number, message?: string }} Progress
 */

/**
 * What the engine is: sha256 of `engine.zip`, versions, milliseconds until it was ready.
 * @typedef {{ sha256: string, rankproof: string, python: string, pyodide: string, milliseconds: number }} Info
 */

/**
 * What `rankproof.lab.api.call` answers: a result, or an error that the user can mend (or an unexpected one).
 * @typedef {{ message: string, unexpected?: boolean, faults?: Record<string, unknown>[], more?: number }} Trouble
 * @typedef {{ ok: true, result: any } | { ok: false, error: Trouble }} Answer
 */

/**
 * The files of this site: its version (of all of them), whether it comes with a service worker, size and hash of each.
 * @typedef {{ version: string, rankproof: string, engine: string, service_worker: boolean,
 *   files: Record<string, { bytes: number, integrity: string }> }} Site
 */

/**
 * One call that waits for its answer.
 * @typedef {{ id: number, name: string, text: string, resolve: (answer: Answer) => void, reject: (error: Error) => void }} Waiting
 */

/** A call without an answer: it was cancelled, the engine crashed (and starts again), or it could not be started. */
export class EngineError extends Error {
  /**
   * @param {'cancelled' | 'crashed' | 'failed'} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

const BASE = new URL('./', import.meta.url);

/**
 * Start the engine. Calls are answered one after the other, in the order asked.
 * @param {(progress: Progress) => void} [onProgress]
 * @returns {Engine}
 */
export function createEngine(onProgress = () => {}) {
  return new Engine(onProgress);
}

/** The page's side of the worker. */
export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Waiting[]} */
  #queue = [];
  /** @type {Waiting | null} */
  #running = null;
  #last = 0;
  #isReady = false;
  /** Why it could not be started, until it is started again. @type {EngineError | null} */
  #failure = null;
  /** @type {(info: Info) => void} */
  #resolve = () => {};
  /** @type {(error: Error) => void} */
  #reject = () => {};
  #onProgress;

  /** @param {(progress: Progress) => void} onProgress */
  constructor(onProgress) {
    this.#onProgress = onProgress;
    /** Settled when the engine can answer, or cannot be started; a new promise after a restart. @type {Promise<Info>} */
    this.ready = this.#start();
  }

  /**
   * Ask `rankproof.lab.api.call`. A user's mistake is an answer (`ok: false`); EngineError says that there is none.
   * @param {string} name
   * @param {unknown} [args]
   * @param {{ signal?: AbortSignal }} [options] `signal` cancels the call: one that runs already takes the worker with it
   * @returns {Promise<Answer>}
   */
  call(name, args = {}, { signal } = {}) {
    return new Promise((resolve, reject) => {
      const refused = signal?.aborted ? cancelled() : this.#failure;
      if (refused) {
        reject(refused);
        return;
      }
      this.#last += 1;
      const waiting = { id: this.#last, name, text: JSON.stringify(args), resolve, reject };
      signal?.addEventListener('abort', () => this.#cancel(waiting), { once: true });
      this.#queue.push(waiting);
      this.#next();
    });
  }

  /**
   * Stop what runs and start a new worker; calls without an answer are rejected as cancelled.
   * @returns {Promise<Info>}
   */
  restart() {
    const dropped = [...(this.#running ? [this.#running] : []), ...this.#queue];
    this.#queue = [];
    return this.#again(dropped, cancelled());
  }

  /**
   * Stop what runs and start a new worker, which answers what waits. Nothing happens where nothing runs.
   * @returns {Promise<Info>}
   */
  stop() {
    return this.#running ? this.#again([this.#running], cancelled()) : this.ready;
  }

  /** @param {Waiting} waiting */
  #cancel(waiting) {
    if (waiting === this.#running) {
      this.#again([waiting], cancelled());
    } else if (this.#queue.includes(waiting)) {
      this.#queue = this.#queue.filter((one) => one !== waiting);
      waiting.reject(cancelled());
    }
  }

  /**
   * @param {Waiting[]} dropped
   * @param {EngineError} error
   * @returns {Promise<Info>}
   */
  #again(dropped, error) {
    this.#stop();
    if (!this.#isReady) this.#reject(error); // whoever waits for the old start is told; after it this does nothing
    this.ready = this.#start();
    for (const one of dropped) one.reject(error);
    return this.ready;
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = null;
  }

  /** @returns {Promise<Info>} */
  #start() {
    this.#isReady = false;
    this.#failure = null;
    /** @type {Promise<Info>} */
    const ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    ready.catch(() => {}); // told by onProgress too: not everybody has to ask
    const worker = workerOf(new URL('worker.mjs', BASE));
    worker.onmessage = ({ data }) => this.#worker === worker && this.#heard(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#heard({ type: 'crashed', message: event.message || 'the worker cannot be loaded' });
    };
    this.#worker = worker;
    return ready;
  }

  /** @param {{ type: string, [field: string]: any }} said */
  #heard(said) {
    if (said.type === 'progress') this.#onProgress(said.progress);
    else if (said.type === 'ready') this.#started(said.info);
    else if (said.type === 'answer') this.#answered(said.id, said.text);
    else if (this.#isReady) this.#crashed(said.message);
    else this.#failed(said.message);
  }

  /** @param {Info} info */
  #started(info) {
    this.#isReady = true;
    this.#onProgress({ stage: 'ready', loaded: 1, total: 1 });
    this.#resolve(info);
    this.#next();
    keepForOffline();
  }

  #next() {
    if (!this.#isReady || this.#running || !this.#worker) return;
    this.#running = this.#queue.shift() ?? null;
    if (this.#running) {
      const { id, name, text } = this.#running;
      this.#worker.postMessage({ id, name, text });
    }
  }

  /**
   * @param {number} id
   * @param {string} text
   */
  #answered(id, text) {
    const running = this.#running;
    if (running?.id !== id) return;
    this.#running = null;
    this.#next();
    running.resolve(JSON.parse(text));
  }

  /** @param {string} message */
  #crashed(message) {
    const dropped = this.#running ? [this.#running] : [];
    this.#again(dropped, new EngineError('crashed', message));
  }

  /** @param {string} message */
  #failed(message) {
    const dropped = this.#queue;
    this.#queue = [];
    this.#stop();
    const error = new EngineError('failed', message);
    this.#failure = error;
    this.#onProgress({ stage: 'failed', loaded: 0, total: 0, message });
    this.#reject(error);
    for (const one of dropped) one.reject(error);
  }
}

/** @returns {EngineError} */
function cancelled() {
  return new EngineError('cancelled', 'the call was cancelled');
}

/**
 * Return a worker that runs a module under the page's own policy. One made from a URL goes by the policy in the headers
 * of its own response: on a host that sends none, it could reach anything.
 * @param {URL} url
 * @returns {Worker}
 */
export function workerOf(url) {
  const line = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  const address = URL.createObjectURL(line);
  const worker = new Worker(address, { type: 'module', name: 'engine' });
  worker.addEventListener('message', () => URL.revokeObjectURL(address), { once: true }); // it has been read by then
  return worker;
}

/**
 * What this site is made of.
 * @returns {Promise<Site>}
 */
export async function siteOf() {
  const response = await fetch(new URL('site.json', BASE), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`site.json: ${response.status}`);
  return response.json();
}

/** Let the service worker keep the files, where the site comes with one; a page is as good without. */
async function keepForOffline() {
  if (!('serviceWorker' in navigator)) return;
  try {
    const site = await siteOf();
    if (!site.service_worker) return;
    await navigator.serviceWorker.register(new URL('service-worker.mjs', BASE), { updateViaCache: 'none' });
  } catch {
    // offline already, or a browser that keeps nothing: the next visit loads again
  }
}
