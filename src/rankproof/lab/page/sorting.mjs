// @ts-check
// Which rows of a table are shown, in which order?

import { cellText, isWords } from './format.mjs';

/** @typedef {import('./format.mjs').Cell} Cell */
/** @typedef {import('./format.mjs').Language} Language */
/** @typedef {{column: number, descending: boolean} | null} Order  null: as given */

/**
 * Return the numbers of the rows that hold a text, in any cell and any case; all of them for an empty text.
 * @param {import('./table.mjs').TableBlock} table
 * @param {string} text
 * @param {Language} language
 * @returns {number[]}
 */
export function matching({ rows, columns, decimals }, text, language) {
  const wanted = text.trim().toLocaleLowerCase();
  const all = rows.map((_, at) => at);
  if (!wanted) return all;
  const shown = (/** @type {Cell} */ cell, /** @type {number} */ column) =>
    cellText(cell, language, columns[column] === 'count' ? 0 : decimals).toLocaleLowerCase();
  return all.filter((at) => rows[at].some((cell, column) => shown(cell, column).includes(wanted)));
}

/**
 * Return row numbers in the order of a column; undefined values come last either way, equal ones stay as given.
 * @param {Cell[][]} rows
 * @param {number[]} numbers
 * @param {Order} order
 * @param {Language} language
 * @returns {number[]}
 */
export function sorted(rows, numbers, order, language) {
  if (!order) return numbers;
  const keys = new Map(numbers.map((at) => [at, keyOf(rows[at][order.column], language)]));
  const known = [...keys.values()].filter((key) => key !== null);
  const numeric = known.every((key) => typeof key === 'number' || NUMBER.test(key));
  const names = new Intl.Collator(language, { numeric: true });
  const way = order.descending ? -1 : 1;
  return [...numbers].sort((one, other) => {
    const [a, b] = [keys.get(one) ?? null, keys.get(other) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return way * (numeric ? Number(a) - Number(b) : names.compare(String(a), String(b)));
  });
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @type {(cell: Cell, language: Language) => string | number | null} */
function keyOf(cell, language) {
  if (cell === null || typeof cell === 'number') return cell;
  return isWords(cell) ? cell[language] : String(cell);
}
