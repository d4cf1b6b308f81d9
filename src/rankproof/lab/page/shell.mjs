// @ts-check
// What stands around every tab: name, list of tabs, language, colours, the state of the engine, the foot?

import { button, choice } from './controls.mjs';
import { sizeText } from './format.mjs';
import { texts } from './i18n.mjs';
import { html, nothing } from './lit.mjs';
import { THEMES } from './theme.mjs';

/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {import('./tabs/tabs.mjs').Tab} Tab */

/**
 * @typedef {object} EngineStatus
 * @property {'loading' | 'ready' | 'failed'} state
 * @property {string} stage  of the loading: loading, starting, importing, ready
 * @property {number} loaded  bytes
 * @property {number} total  bytes; 0 while it is not known
 * @property {import('./engine.mjs').Info | null} info  of the engine that was ready last
 * @property {string} message  why it failed
 */

/**
 * @typedef {object} Shown
 * @property {Language} language
 * @property {string} theme
 * @property {Tab} tab
 * @property {{tab: Tab, address: string}[]} links
 * @property {EngineStatus} status
 * @property {unknown} content  the tab's own
 * @property {() => void} otherLanguage
 * @property {(theme: string) => void} setTheme
 * @property {() => void} restart
 */

/**
 * Return the whole page.
 * @param {Shown} shown
 */
export function shell(shown) {
  const { language, tab, content } = shown;
  const t = texts(language);
  return html`<a class="skip" href="#content" @click=${toContent}>${t.skip}</a>
    <header class="top">
      <p class="mark">${t.site}</p>
      <div class="switches">
        ${choice({ label: t.theme, unseen: true, value: shown.theme, options: themes(language), change: shown.setTheme })}
        <button type="button" class="language" lang=${language === 'en' ? 'ko' : 'en'} @click=${shown.otherLanguage}>${t.other_language}</button>
      </div>
    </header>
    <nav class="tabs" aria-label=${t.tabs}><ul>${shown.links.map(
      ({ tab: one, address }) => html`<li><a href=${address} aria-current=${one === tab ? 'page' : nothing}>${one.title[language]}</a></li>`,
    )}</ul></nav>
    <main id="content">
      <h1 tabindex="-1">${tab.heading[language]}</h1>
      <p class="intro">${tab.intro[language]}</p>
      ${engine(shown)}
      ${content}
    </main>
    <footer>${foot(shown)}</footer>`;
}

/** @param {Event} event */
function toContent(event) {
  event.preventDefault(); // the hash is the address of the tab
  document.querySelector('h1')?.focus();
}

/** @param {Language} language */
function themes(language) {
  const t = texts(language);
  const labels = [t.theme_auto, t.theme_light, t.theme_dark];
  return THEMES.map((value, at) => ({ value, label: labels[at] }));
}

/** @param {Shown} shown */
function engine({ language, status, restart }) {
  const t = texts(language);
  const { state, stage, loaded, total, info } = status;
  const said = { loading: info ? t.engine_stopped : t.engine_starting, failed: t.engine_failed, ready: t.engine_ready }[state];
  const counted = stage === 'loading' && total > 0;
  const told = counted ? t.engine_loaded(sizeText(loaded, language), sizeText(total, language)) : t.engine_python;
  const bar = counted
    ? html`<progress aria-label=${t.engine_progress} max=${total} .value=${loaded}></progress>`
    : html`<progress aria-label=${t.engine_progress}></progress>`;
  return html`<div class="engine" data-engine=${state}>
    <p role="status">${said}</p>
    ${state === 'loading' ? html`<div class="loading">${bar}<span class="quiet">${told}</span></div>` : nothing}
    ${state === 'failed' ? html`<p class="quiet" lang="en">${status.message}</p>${button({ label: t.engine_again, act: restart })}` : nothing}
  </div>`;
}

/** @param {Shown} shown */
function foot({ language, status }) {
  const t = texts(language);
  const { info } = status;
  return html`<p>${t.tagline} ${t.no_network}</p>
    ${info
      ? html`<p>${t.engine_foot(info.rankproof, info.python)} · ${t.engine_hash} <code title=${info.sha256}>${info.sha256.slice(0, 16)}</code></p>`
      : nothing}`;
}
