// @ts-check
// What does a later visit start from? Files of one version of the site, kept whole; the host is asked for its version.
// A classic script: module service workers are not in all browsers.

const VERSION = 'unversioned'; // the site puts its own here
const worker = /** @type {any} */ (globalThis);
const base = new URL('./', worker.location.href);
const OURS = `rankproof-lab ${base.pathname} `; // a host may have several labs, each in its own folder
const KEPT = `${OURS}${VERSION}`;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(forgetOthers()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET' || !url.startsWith(base.href)) return;
  event.respondWith(mode === 'navigate' ? opened(event.request) : kept(event.request));
});

/** Keep every file, or none: each is checked against its hash. */
async function keep() {
  const site = await (await fetch(new URL('site.json', base), { cache: 'no-cache' })).json();
  if (site.version !== VERSION) throw new Error('the site has changed meanwhile');
  const names = Object.keys(site.files);
  const responses = await Promise.all(names.map((name) => checked(name, site.files[name].integrity)));
  const cache = await caches.open(KEPT);
  await Promise.all(names.map((name, at) => cache.put(new URL(name, base), responses[at])));
  await cache.put(new URL('site.json', base), new Response(JSON.stringify(site)));
  await worker.skipWaiting();
}

/**
 * @param {string} name
 * @param {string} integrity
 * @returns {Promise<Response>}
 */
async function checked(name, integrity) {
  const response = await fetch(new URL(name, base), { integrity, cache: 'no-cache' });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

async function forgetOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== KEPT);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * Open the page: from here if the host has this version, or cannot be reached; else from the host, and forget.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function opened(request) {
  const version = await hosted();
  if (version === VERSION || version === null) return kept(request);
  await caches.delete(KEPT); // files of two versions must not meet in one page
  if (version === '') await worker.registration.unregister();
  return fetch(request);
}

/**
 * The version that the host has: null without an answer of the lab's, '' where the host no longer wants this worker.
 * @returns {Promise<string | null>}
 */
async function hosted() {
  try {
    const response = await fetch(new URL('site.json', base), { cache: 'no-cache' });
    if ([404, 410].includes(response.status)) return '';
    if (!response.ok) return null; // for a moment only, perhaps
    const site = await response.json();
    return site.service_worker ? site.version : '';
  } catch {
    return null;
  }
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function kept(request) {
  const url = new URL(request.url);
  const name = url.pathname.endsWith('/') ? `${url.origin}${url.pathname}index.html` : `${url.origin}${url.pathname}`;
  const found = await caches.match(name, { cacheName: KEPT }); // opening a cache would make it again
  if (found && !name.endsWith('/site.json')) return found;
  try {
    return await fetch(request);
  } catch (error) {
    if (found) return found;
    throw error;
  }
}
