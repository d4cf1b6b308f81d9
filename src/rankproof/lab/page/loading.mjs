// @ts-check
// How do the engine's files come into the worker: how far is it, what is wrong, and how are they unpacked?

const STDLIB = 'vendor/python_stdlib.zip';
const COUNTED = ['vendor/pyodide.asm.wasm', STDLIB, 'vendor/compiled.zip', 'engine.zip'];
const WASM = 'application/wasm';
const scope = /** @type {any} */ (globalThis);

/**
 * Watch what is fetched from here on. Pyodide fetches by itself, does not tell how far it is, nor of an interpreter that
 * cannot be had; and its standard library comes packed as one.
 * @param {URL} base where the site is
 * @param {(stage: string, loaded: number, total: number) => void} onProgress
 * @param {(error: unknown) => void} onTrouble
 */
export async function prepare(base, onProgress, onTrouble) {
  const site = JSON.parse(new TextDecoder().decode(await bytesOf(new URL('site.json', base), { cache: 'no-cache' })));
  const total = COUNTED.reduce((bytes, name) => bytes + site.files[name].bytes, 0);
  const counted = new Set(COUNTED.map((name) => new URL(name, base).href));
  const packed = new URL(STDLIB, base).href;
  const plain = scope.fetch;
  let loaded = 0;
  onProgress('loading', 0, total);
  const count = (/** @type {number} */ bytes) => {
    loaded += bytes;
    onProgress(loaded < total ? 'loading' : 'starting', loaded, total);
  };
  scope.fetch = async (/** @type {any} */ what, /** @type {any} */ how) => {
    const response = await plain(what, how);
    const address = String(what?.url ?? what);
    if (!response.ok || !counted.has(address)) return response;
    watch(response.clone(), count);
    return address === packed ? new Response(await innerOf(new Uint8Array(await response.arrayBuffer()))) : response;
  };
  watchInterpreter(onTrouble);
}

/**
 * @param {Response} copy
 * @param {(bytes: number) => void} count
 */
async function watch(copy, count) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (copy.body).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined })); // told by the original
    if (done || !value) return;
    count(value.length);
  }
}

/**
 * Tell when the interpreter cannot be had; whatever type a host gives to the file is as good.
 * @param {(error: unknown) => void} onTrouble
 */
function watchInterpreter(onTrouble) {
  const plain = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    try {
      const response = await source;
      if (!response.ok) throw new Error(`${new URL(response.url).pathname}: ${response.status}`);
      const isTyped = response.headers.get('content-type') === WASM;
      const typed = isTyped ? response : new Response(response.body, { headers: { 'content-type': WASM } });
      return await plain(typed, imports);
    } catch (error) {
      onTrouble(error);
      throw error;
    }
  };
}

/**
 * @param {URL} url
 * @param {RequestInit} [options]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function bytesOf(url, options) {
  const response = await scope.fetch(url, options);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Unpack the first file of a zip, by the browser's own code, which is quicker than Python's here.
 * @param {Uint8Array<ArrayBuffer>} zip its first entry is packed (deflate), and says its length
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function innerOf(zip) {
  const header = new DataView(zip.buffer, zip.byteOffset);
  const start = 30 + header.getUint16(26, true) + header.getUint16(28, true); // behind the name and the extra field
  const packed = new Blob([zip.subarray(start, start + header.getUint32(18, true))]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
