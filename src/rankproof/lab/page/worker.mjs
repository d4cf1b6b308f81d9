// @ts-check
// What runs in the worker: Python (Pyodide) with rankproof's own files, loaded once, and cut off from the network then.

import { bytesOf, innerOf, prepare } from './loading.mjs';
import { loadPyodide } from './vendor/pyodide.mjs';

const BASE = new URL('./', import.meta.url);

/** Whatever could ask another computer, or keep something: none of it is there after the start. */
const DROPPED = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'importScripts'],
  ...['Worker', 'SharedWorker', 'BroadcastChannel', 'caches', 'indexedDB'],
];

/** Unpacks what came into a folder, imports it, and gives the one function that answers. */
const START = `
import io, sys, zipfile
from hashlib import sha256

def start(engine, *archives):
    for archive in archives:
        zipfile.ZipFile(io.BytesIO(archive.to_bytes())).extractall("/engine")
    sys.path.insert(0, "/engine")
    sys.dont_write_bytecode = True
    import rankproof
    from rankproof.lab.api import call
    return call, sha256(engine.to_bytes()).hexdigest(), rankproof.__version__, sys.version.split()[0]

start
`;

const scope = /** @type {any} */ (globalThis);
const started = performance.now();
/** @type {((name: string, text: string) => string) | null} */
let answer = null;

/** @param {Record<string, unknown>} message */
const tell = (message) => scope.postMessage(message);

/**
 * @param {string} stage
 * @param {number} [loaded]
 * @param {number} [total]
 */
const progress = (stage, loaded = 0, total = 0) => tell({ type: 'progress', progress: { stage, loaded, total } });

scope.addEventListener('message', (/** @type {MessageEvent} */ { data }) => {
  try {
    if (!answer) throw new Error('asked before the start');
    tell({ type: 'answer', id: data.id, text: answer(data.name, data.text) });
  } catch (error) {
    tell({ type: 'crashed', message: said(error) }); // api.call does not raise: the interpreter itself is at its end
  }
});

boot().then(
  (info) => tell({ type: 'ready', info }),
  (error) => tell({ type: 'crashed', message: said(error) }),
);

/** @returns {Promise<Record<string, unknown>>} what the engine is */
async function boot() {
  await prepare(BASE, progress, (error) => tell({ type: 'crashed', message: said(error) }));
  const engine = bytesOf(new URL('engine.zip', BASE));
  const compiled = bytesOf(new URL('vendor/compiled.zip', BASE)).then(innerOf);
  const quiet = () => {};
  const indexURL = new URL('vendor/', BASE).href;
  const python = await loadPyodide({ indexURL, packages: [], stdout: quiet, stderr: quiet });
  const archives = await Promise.all([engine, engine.then(innerOf), compiled]);
  progress('importing');
  const [call, sha256, rankproof, version] = python.runPython(START)(...archives);
  cutOff();
  answer = call;
  return { sha256, rankproof, python: version, pyodide: python.version, milliseconds: performance.now() - started };
}

/** Take away, here and where it is inherited from, whatever reaches out. */
function cutOff() {
  for (const name of DROPPED) {
    for (let at = scope; at; at = Object.getPrototypeOf(at)) delete at[name];
    Object.defineProperty(scope, name, { value: undefined });
  }
  Object.defineProperty(scope.navigator, 'storage', { value: undefined }); // files of this origin
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function said(error) {
  return error instanceof Error ? error.message || error.name : String(error);
}
