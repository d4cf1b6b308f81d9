// @ts-check
// How is a chart drawn, so that it fits its place, speaks the language and can be read as a table?

import { Drawn } from './drawn.mjs';
import { texts } from './i18n.mjs';
import { html, render } from './lit.mjs';
import { tableOf } from './table.mjs';
import { showTip } from './tip.mjs';

/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {import('./format.mjs').Words} Words */

/**
 * A chart as the engine hands it over: a Vega-Lite spec a language, and the table of its numbers.
 * @typedef {object} ChartBlock
 * @property {'chart'} kind
 * @property {Record<string, any>} spec  in English, with its data
 * @property {Record<string, any>} korean  in Korean, without the data
 * @property {import('./table.mjs').TableBlock} table
 * @property {Words} alt  what it shows, as a sentence
 */

const WIDEST = 860;
const NARROW = 520;
/** @type {Promise<{draw: Function}> | null} */
let library = null;

/** Load the chart library once, when the first chart is wanted. */
function drawing() {
  library ??= import('./vendor/vega.mjs').catch((error) => {
    library = null; // the next chart tries again
    throw error;
  });
  return library;
}

/** `<lab-chart>`: a picture, drawn again when its width or its language changes. */
class LabChart extends Drawn {
  /** @type {ChartBlock | null} */
  #chart = null;
  /** @type {Language} */
  #language = 'en';
  /** @type {{finalize: () => void} | null} */
  #view = null;
  #width = 0;
  #turn = Promise.resolve();
  #watch = new ResizeObserver(() => this.#resized());

  /** @param {ChartBlock} chart */
  set chart(chart) {
    if (chart === this.#chart) return;
    this.#chart = chart;
    this.redraw();
  }

  /** @param {Language} language */
  set language(language) {
    if (language === this.#language) return;
    this.#language = language;
    this.redraw();
  }

  connectedCallback() {
    this.#watch.observe(this);
    super.connectedCallback();
  }

  disconnectedCallback() {
    this.#watch.disconnect();
    this.#view?.finalize();
    this.#view = null;
  }

  #resized() {
    if (this.clientWidth === this.#width || this.clientWidth === 0 || matchMedia('print').matches) return;
    this.redraw();
  }

  draw() {
    const chart = this.#chart;
    if (!chart) return;
    const t = texts(this.#language);
    render(
      html`<figure class="chart">
        <div class="picture" role="img" aria-label=${chart.alt[this.#language]}></div>
        <figcaption>${chart.alt[this.#language]}</figcaption>
        <details><summary>${t.as_table}</summary><div>${tableOf(chart.table, this.#language)}</div></details>
      </figure>`,
      this,
    );
    this.#turn = this.#turn.then(() => this.#paint(chart)).catch((error) => this.#failed(error));
  }

  /** @param {ChartBlock} chart */
  async #paint(chart) {
    const { draw } = await drawing();
    const picture = this.querySelector('.picture');
    if (!this.isConnected || !picture || !this.clientWidth) return;
    this.#width = this.clientWidth;
    const width = Math.min(WIDEST, this.#width);
    const config = width < NARROW ? { axis: { labelLimit: Math.round(width / 3.2) }, legend: { columns: 2 } } : {};
    const spec = this.#language === 'ko' ? { ...chart.korean, datasets: chart.spec.datasets } : chart.spec;
    this.#view?.finalize();
    this.#view = await draw(picture, spec, { width, config, tooltip: showTip });
    picture.querySelector('svg')?.setAttribute('aria-hidden', 'true'); // one picture, one description; the table reads
    this.dataset.drawn = this.#language;
  }

  /** @param {unknown} error */
  #failed(error) {
    console.error(error);
    const table = this.querySelector('details');
    if (table) table.open = true;
  }
}

customElements.define('lab-chart', LabChart);

/**
 * Return the template of a chart.
 * @param {ChartBlock} chart
 * @param {Language} language
 */
export function chartOf(chart, language) {
  return html`<lab-chart .language=${language} .chart=${chart}></lab-chart>`;
}
