// @ts-check
// What holds the page together: which tab is shown, in which language and colours, and is the engine there?

import { readAddress, readSettings, writeAddress } from './address.mjs';
import { Answers, Refused } from './answers.mjs';
import { createEngine, EngineError } from './engine.mjs';
import { LANGUAGES, languageOf, texts } from './i18n.mjs';
import { render } from './lit.mjs';
import { hasFiles } from './places.mjs';
import { shell } from './shell.mjs';
import { TABS } from './tabs/tabs.mjs';
import { setTheme, THEMES } from './theme.mjs';

/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {import('./tabs/tabs.mjs').Tab} Tab */

/** Changes of one setting within so many milliseconds are one step back. */
const ONE_STEP = 1000;

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
/** What a tab has while the page is open: its settings, its questions, and whatever it keeps for itself. */
const own = new Map(TABS.map((one) => [one, {
  settings: readSettings(one.settings, new URLSearchParams()),
  answers: new Answers(call, redraw),
  memory: /** @type {Record<string, any>} */ ({}),
}]));
/** @type {import('./shell.mjs').EngineStatus} */
let status = { state: 'loading', stage: 'loading', loaded: 0, total: 0, info: null, message: '' };
let tab = TABS[0];
/** @type {Language | null} */
let chosen = null; // null: the browser's
let theme = 'auto';
let waiting = false;
let last = { names: '', at: 0 };

/** @returns {Language} */
const language = () => chosen ?? languageOf(navigator.languages);
const shared = () => ({ lang: chosen, theme: theme === 'auto' ? null : theme });
/** @param {Tab} one */
const ofTab = (one) => /** @type {NonNullable<ReturnType<typeof own.get>>} */ (own.get(one));
/** @param {Tab} one */
const addressOf = (one) => writeAddress(one.id, one.settings, ofTab(one).settings, shared());

// The address

/** Take tab, settings, language and colours from the address. */
function followAddress() {
  const { tab: id, parameters } = readAddress(location.hash);
  const found = TABS.find((one) => one.id === id) ?? TABS[0];
  const moved = found !== tab;
  if (moved) ofTab(tab).memory.open = null; // what was open over the page is closed
  tab = found;
  ofTab(tab).settings = readSettings(tab.settings, parameters);
  chosen = LANGUAGES.find((one) => one === parameters.get('lang')) ?? null;
  theme = THEMES.find((one) => one === parameters.get('theme')) ?? 'auto';
  draw();
  showTab();
  if (moved) {
    root.querySelector('h1')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** Bring the name of the tab that is open into sight, on a narrow screen; the first Tab key still begins at the top. */
function showTab() {
  const name = /** @type {HTMLElement | null} */ (root.querySelector('.tabs [aria-current]'));
  const names = name?.closest('ul');
  if (name && names) names.scrollLeft = name.offsetLeft - names.offsetLeft - (names.clientWidth - name.offsetWidth) / 2;
}

/**
 * Change settings of a tab. Quick changes of the same ones are one step of the back key.
 * @param {Tab} one  it may have been left meanwhile
 * @param {Record<string, any>} changes
 */
function set(one, changes) {
  ofTab(one).settings = { ...ofTab(one).settings, ...changes };
  if (one !== tab) return;
  const names = Object.keys(changes).join();
  const now = Date.now();
  write(names === last.names && now - last.at < ONE_STEP);
  last = { names, at: now };
}

/** @param {boolean} again  whether the address takes the place of the last one */
function write(again) {
  const address = addressOf(tab);
  if (address !== location.hash) history[again ? 'replaceState' : 'pushState'](null, '', address);
  redraw();
}

// The engine

const engine = createEngine((progress) => {
  const { stage, loaded, total, message = '' } = progress;
  status = stage === 'failed' ? { ...status, state: 'failed', message } : { ...status, state: 'loading', stage, loaded, total };
  if (stage === 'ready') engine.ready.then(started, () => {});
  redraw();
});

/** @param {import('./engine.mjs').Info} info */
function started(info) {
  status = { ...status, state: 'ready', info };
  for (const { answers } of own.values()) answers.again();
  redraw();
}

/**
 * @param {string} name
 * @param {any} args
 */
async function call(name, args) {
  const answer = await engine.call(name, args).catch((error) => {
    throw new Refused(withoutAnswer(error));
  });
  if (!answer.ok) throw new Refused(/** @type {import('./answers.mjs').Fault} */ (answer.error));
  const { result, warnings } = /** @type {{result: any, warnings: string[]}} */ (/** @type {unknown} */ (answer));
  return { ...result, warnings };
}

/**
 * @param {unknown} error  why there was no answer at all
 * @returns {import('./answers.mjs').Fault}
 */
function withoutAnswer(error) {
  const kind = error instanceof EngineError ? error.kind : 'crashed';
  if (kind === 'cancelled') return { message: texts(language()).stopped, stopped: true };
  const message = error instanceof Error ? error.message : String(error);
  return kind === 'failed' ? { message, unstarted: true } : { message, unexpected: true };
}

/** Start the engine anew: what it was calculating is dropped. */
function restart() {
  engine.restart().catch(() => {});
}

// The page

/** Draw soon, once for all that changed. */
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function draw() {
  const speaks = language();
  document.documentElement.lang = speaks;
  document.title = `${tab.heading[speaks]} · ${texts(speaks).site}`;
  setTheme(theme);
  render(
    shell({
      language: speaks,
      theme,
      tab,
      links: TABS.map((one) => ({ tab: one, address: addressOf(one) })),
      status,
      content: tab.view(contextOf(tab)),
      otherLanguage: () => {
        chosen = speaks === 'en' ? 'ko' : 'en';
        write(false);
      },
      setTheme: (chosenTheme) => {
        theme = chosenTheme;
        write(false);
      },
      restart,
    }),
    root,
  );
}

/**
 * @param {Tab} one
 * @returns {import('./tabs/tabs.mjs').Context}
 */
function contextOf(one) {
  const { settings, answers, memory } = ofTab(one);
  return {
    language: language(),
    settings,
    set: (changes) => set(one, changes),
    ask: (name, args, options) => answers.ask(name, args, options),
    hurry: () => answers.hurry(),
    forget: (slot) => answers.forget(slot),
    call,
    memory,
    redraw,
    stop: () => void engine.stop().catch(() => {}),
    engine: status.info,
  };
}

addEventListener('hashchange', followAddress);
addEventListener('languagechange', redraw);
for (const type of /** @type {const} */ (['dragover', 'drop'])) {
  addEventListener(type, (event) => hasFiles(event) && event.preventDefault()); // a file beside its place must not replace the page
}
root.replaceChildren(); // what stood there for readers without scripts
followAddress();
