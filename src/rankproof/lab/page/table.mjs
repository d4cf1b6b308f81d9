// @ts-check
// How does a table of values look, sort, filter and turn its pages?

import { stepButton } from './controls.mjs';
import { Drawn } from './drawn.mjs';
import { cellText, isWords, numberText, printable } from './format.mjs';
import { texts } from './i18n.mjs';
import { html, nothing, render } from './lit.mjs';
import { matching, sorted } from './sorting.mjs';

/** @typedef {import('./format.mjs').Cell} Cell */
/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {import('./format.mjs').Words} Words */

/**
 * A table as the engine hands it over.
 * @typedef {object} TableBlock
 * @property {'table'} kind
 * @property {Words | null} title
 * @property {Words[]} header
 * @property {('number' | 'count' | 'text')[]} columns  numbers with decimals, whole counts, or text
 * @property {Cell[][]} rows
 * @property {number} decimals
 */

/**
 * What can be done with a cell: null, or what a button in it does, and how the button is read out.
 * @typedef {(table: TableBlock, row: Cell[], column: number) => {label: Words, act: () => void} | null} CellAction
 */

export const AT_ONCE = 100;
/** From as many rows on a table can be filtered. */
export const FILTERED = 12;
const SHORT = 24;
const LONG = 12;
let made = 0;

/** `<lab-table>`: keeps its order, its filter and its page while the page around it is drawn again. */
class LabTable extends Drawn {
  /** @type {TableBlock | null} */
  #table = null;
  /** @type {Language} */
  #language = 'en';
  /** @type {CellAction | null} */
  #action = null;
  /** @type {import('./sorting.mjs').Order} */
  #order = null;
  #filter = '';
  #page = 0;
  #id = `table-${(made += 1)}`;

  /** @param {TableBlock} table */
  set table(table) {
    if (table === this.#table) return;
    const columns = this.#table?.header.length;
    this.#table = table;
    this.#page = 0;
    if (columns !== table.header.length) this.#order = null;
    this.redraw();
  }

  /** @param {Language} language */
  set language(language) {
    if (language === this.#language) return;
    this.#language = language;
    this.redraw();
  }

  /** @param {CellAction | null} action */
  set action(action) {
    this.#action = action;
    if (action) this.redraw();
  }

  draw() {
    const table = this.#table;
    if (!table) return;
    const language = this.#language;
    const kinds = kindsOf(table);
    const found = sorted(table.rows, matching(table, this.#filter, language), this.#order, language);
    const pages = Math.max(1, Math.ceil(found.length / AT_ONCE));
    this.#page = Math.min(this.#page, pages - 1);
    const first = this.#page * AT_ONCE;
    const shown = found.slice(first, first + AT_ONCE);
    const titled = table.title && table.title[language];
    render(
      html`${table.rows.length >= FILTERED || this.#filter ? this.#tools(found.length) : nothing}
        <div class="table" role="group" tabindex="0" aria-labelledby=${this.#id}>
          <table class=${kinds.length > 12 ? 'dense' : ''}>
            <caption id=${this.#id} class=${titled ? '' : 'unseen'}>${titled || texts(language).table}</caption>
            ${table.header.some((name) => name.en) ? this.#head(table, kinds) : nothing}
            <tbody>
              ${shown.map((at) => html`<tr>${kinds.map((kind, column) => this.#cell(table, at, column, kind))}</tr>`)}
            </tbody>
          </table>
        </div>
        ${found.length ? nothing : html`<p class="quiet">${texts(language).nothing_found}</p>`}
        ${found.length > AT_ONCE ? this.#turning(first, shown.length, found.length, pages) : nothing}`,
      this,
    );
    this.querySelector('table')?.style.setProperty('--columns', String(kinds.length));
  }

  /** @param {number} count */
  #tools(count) {
    const t = texts(this.#language);
    const total = this.#table?.rows.length ?? 0;
    const told = count === total ? t.rows(this.#number(total)) : t.rows_of(this.#number(count), this.#number(total));
    return html`<div class="table-tools">
      <label>${t.filter}<input type="search" autocomplete="off" spellcheck="false" .value=${this.#filter} @input=${(/** @type {any} */ event) => {
        this.#filter = event.target.value;
        this.#page = 0;
        this.redraw();
      }}></label>
      <span class="quiet" role="status">${told}</span>
    </div>`;
  }

  /**
   * @param {TableBlock} table
   * @param {Kind[]} kinds
   */
  #head(table, kinds) {
    const language = this.#language;
    const sortable = table.rows.length > 1;
    return html`<thead><tr>${table.header.map((name, column) => {
      const classes = [kinds[column].css, isLong(name[language]) ? 'long' : ''].join(' ').trim();
      const sort = this.#order?.column === column ? (this.#order.descending ? 'descending' : 'ascending') : nothing;
      const text = breakable(name[language]);
      if (!sortable || !name[language]) return html`<th scope="col" class=${classes}>${text}</th>`;
      return html`<th scope="col" class=${classes} aria-sort=${sort}><button type="button" class="sort" @click=${() => this.#sort(column)}>${text}</button></th>`;
    })}</tr></thead>`;
  }

  /** @param {number} column */
  #sort(column) {
    const same = this.#order?.column === column;
    if (same && this.#order?.descending) this.#order = null;
    else this.#order = { column, descending: same };
    this.#page = 0;
    this.redraw();
  }

  /**
   * @param {TableBlock} table
   * @param {number} at
   * @param {number} column
   * @param {Kind} kind
   */
  #cell(table, at, column, kind) {
    const language = this.#language;
    const cell = table.rows[at][column];
    if (cell === null || cell === undefined) {
      const word = texts(language).undefined;
      return html`<td class="${kind.css} null"><span role="img" aria-label=${word} title=${word}>–</span></td>`;
    }
    const text = cellText(cell, language, kind.decimals);
    const full = typeof cell === 'number' && String(cell) !== text ? String(cell) : nothing;
    const action = this.#action?.(table, table.rows[at], column);
    const content = action
      ? html`<button type="button" class="in-cell" aria-label="${text}: ${action.label[language]}" @click=${action.act}>${text}</button>`
      : text;
    return html`<td class=${kind.css} title=${full} data-value=${typeof cell === 'number' ? cell : nothing}>${content}</td>`;
  }

  /**
   * @param {number} first
   * @param {number} count
   * @param {number} total
   * @param {number} pages
   */
  #turning(first, count, total, pages) {
    const t = texts(this.#language);
    const turn = (/** @type {number} */ by) => () => {
      this.#page += by;
      this.redraw();
      this.querySelector('.table')?.scrollIntoView({ block: 'nearest' });
    };
    return html`<nav class="turning" aria-label=${t.pages}>
      ${stepButton({ label: t.previous, ended: this.#page === 0, act: turn(-1) })}
      <span role="status">${t.rows_shown(this.#number(first + 1), this.#number(first + count), this.#number(total))}</span>
      ${stepButton({ label: t.next, ended: this.#page === pages - 1, act: turn(1) })}
    </nav>`;
  }

  /** @param {number} value */
  #number(value) {
    return numberText(value, this.#language);
  }
}

/** @param {string} name */
function isLong(name) {
  return name.length > LONG && name.includes(' ');
}

/**
 * Return the head of a column so that it may break inside a long name: DuplicateRate@3 after its first word.
 * @param {string} name
 */
function breakable(name) {
  const text = printable(name);
  if (text.length <= LONG) return text;
  return text.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((part, at) => (at ? html`<wbr>${part}` : part));
}

/** @typedef {{css: '' | 'n' | 's' | 'w', decimals: number}} Kind */

/**
 * Return how each column is set: n for numbers, s for short figures, w for short words, or nothing; and its decimals.
 * @param {TableBlock} table
 * @returns {Kind[]}
 */
function kindsOf(table) {
  return table.columns.map((kind, column) => {
    if (kind !== 'text') return { css: 'n', decimals: kind === 'count' ? 0 : table.decimals };
    const words = table.rows.map((row) => row[column]).flatMap((cell) => (isWords(cell) ? [cell.en, cell.ko] : cell === null ? [] : [String(cell)]));
    if (words.some((text) => text.length > SHORT)) return { css: '', decimals: table.decimals };
    return { css: words.some((text) => /\p{L}/u.test(text)) ? 'w' : 's', decimals: table.decimals };
  });
}

customElements.define('lab-table', LabTable);

/**
 * Return the template of a table.
 * @param {TableBlock} table
 * @param {Language} language
 * @param {CellAction | null} [action]
 */
export function tableOf(table, language, action = null) {
  return html`<lab-table .language=${language} .action=${action} .table=${table}></lab-table>`;
}
