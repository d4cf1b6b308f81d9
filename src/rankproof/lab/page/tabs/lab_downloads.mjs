// @ts-check
// How does a person take the results away: JSON, CSV, or an HTML report?

import { faultOf } from '../answered.mjs';
import { Refused } from '../answers.mjs';
import { button } from '../controls.mjs';
import { save } from '../downloads.mjs';
import { texts } from '../i18n.mjs';
import { html, nothing } from '../lit.mjs';
import { labTexts } from './lab_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const CHARTS = new URL('../vendor/vega.mjs', import.meta.url);
/** What makes a module of the chart library; a report holds it as a plain script. */
const AS_MODULE = /\nexport const \{ draw \} = rankproofCharts;\s*$/;

const KINDS = [
  { call: 'lab_json', type: 'application/json', text: /** @type {const} */ ('json') },
  { call: 'lab_csv', type: 'text/csv', text: /** @type {const} */ ('csv') },
  { call: 'lab_report', type: 'text/html', text: /** @type {const} */ ('report') },
];

/**
 * Return the buttons that save results.
 * @param {Context} context
 * @param {any} asked  what the results answer
 * @param {any} result
 */
export function downloads(context, asked, result) {
  const { language, memory } = context;
  const t = labTexts(language);
  const offered = KINDS.filter((kind) => kind.call !== 'lab_report' || result.form !== 'run'); // a run alone has no report
  return html`<section><h2>${t.take_away}</h2>
    <div class="buttons">
      ${offered.map((kind) => button({ label: t[kind.text], disabled: memory.saving, described: 'with-care', act: () => take(context, asked, kind) }))}
      <span class="quiet" role="status">${memory.saving ? texts(language).working : ''}</span>
    </div>
    ${memory.unsaved ? faultOf(memory.unsaved, language) : nothing}
    <p class="quiet" id="with-care">${t.with_care}</p>
  </section>`;
}

/**
 * @param {Context} context
 * @param {any} asked
 * @param {(typeof KINDS)[number]} kind
 */
async function take({ call, engine, memory, redraw }, asked, { call: name, type }) {
  memory.saving = true;
  memory.unsaved = null;
  redraw();
  try {
    const charts = name === 'lab_report' ? { charts: await chartLibrary() } : {};
    const file = await call(name, { ...asked, ...charts, engine: engine?.sha256 });
    save(file.name, type, file.text);
  } catch (error) {
    memory.unsaved = error instanceof Refused ? error.fault : { message: String(error), unexpected: true };
  }
  memory.saving = false;
  redraw();
}

/** Return the chart library, which the page has already, as a script for a report; a report is as whole without it. */
async function chartLibrary() {
  const response = await fetch(CHARTS);
  return response.ok ? (await response.text()).replace(AS_MODULE, '') : null;
}
