// @ts-check
// How does each block of a page look? The blocks are those of rankproof's reports, as JSON.

import { chartOf } from './chart.mjs';
import { printable } from './format.mjs';
import { html, nothing } from './lit.mjs';
import { tableOf } from './table.mjs';

/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {import('./format.mjs').Words} Words */
/** @typedef {import('./table.mjs').CellAction} CellAction */

/**
 * A page as the engine hands it over.
 * @typedef {object} Page
 * @property {Words} title
 * @property {Block[]} lead  what stands above all sections
 * @property {{heading: Words, blocks: Block[]}[]} sections
 * @property {Words[]} foot
 */

/** @typedef {{kind: string, [part: string]: any}} Block */

/**
 * @typedef {object} Options
 * @property {CellAction | null} [action]  what buttons in the cells of tables do
 * @property {2 | 3} [level]  of the sections' headings
 */

const SIGNS = { good: '▲', bad: '▼', open: '◆' };

/**
 * Return a page: what leads, the sections, the foot. Its title is left to the one who shows it.
 * @param {Page} page
 * @param {Language} language
 * @param {Options} [options]
 */
export function renderPage(page, language, options = {}) {
  return html`${renderBlocks(page.lead, language, options)}
    ${page.sections.map((section) => renderSection(section, language, options))}
    ${page.foot.length ? html`<div class="foot">${page.foot.map((words) => html`<p>${printable(words[language])}</p>`)}</div>` : nothing}`;
}

/**
 * Return a section: its heading and what stands below.
 * @param {{heading: Words, blocks: Block[]}} section
 * @param {Language} language
 * @param {Options} [options]
 */
export function renderSection({ heading, blocks }, language, options = {}) {
  const text = printable(heading[language]);
  return html`<section>${options.level === 3 ? html`<h3>${text}</h3>` : html`<h2>${text}</h2>`}${renderBlocks(blocks, language, options)}</section>`;
}

/**
 * Return blocks, one after the other.
 * @param {Block[]} blocks
 * @param {Language} language
 * @param {Options} [options]
 */
export function renderBlocks(blocks, language, options = {}) {
  return blocks.map((block) => KINDS[block.kind](block, language, options));
}

/** @type {Record<string, (block: any, language: Language, options: Options) => unknown>} */
const KINDS = {
  text: ({ text }, language) => html`<p>${printable(text[language])}</p>`,
  list: ({ items }, language) =>
    html`<ul>${items.map((/** @type {Words} */ item) => html`<li>${printable(item[language])}</li>`)}</ul>`,
  table: (block, language, { action = null }) => tableOf(block, language, action),
  chart: (block, language) => chartOf(block, language),
  details: ({ summary, blocks }, language, options) =>
    html`<details><summary>${printable(summary[language])}</summary><div>${renderBlocks(blocks, language, options)}</div></details>`,
  verdict: ({ word, sentence, tone }, language) =>
    html`<div class="verdict ${tone}"><span class="sign" aria-hidden="true">${SIGNS[/** @type {'good'} */ (tone)]}</span>
      <div><p class="word">${printable(word[language])}</p><p>${printable(sentence[language])}</p></div></div>`,
  cards: ({ cards }, language) =>
    html`<dl class="cards">${cards.map(
      (/** @type {any} */ card) => html`<div class=${card.tone}><dt>${printable(card.label[language])}</dt>
        <dd class=${lengthOf(card.value)}>${printable(card.value)}</dd>
        ${card.note ? html`<dd class="note-of">${printable(card.note[language])}</dd>` : nothing}</div>`,
    )}</dl>`,
  code: ({ text }) => html`<pre><code>${text.split('\n').map(printable).join('\n')}</code></pre>`,
};

/**
 * Return the class of a card's number: the longer, the smaller it is set.
 * @param {string} value
 */
function lengthOf(value) {
  return value.length > 18 ? 'longest' : value.length > 7 ? 'longer' : '';
}
