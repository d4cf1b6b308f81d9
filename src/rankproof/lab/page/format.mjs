// @ts-check
// How do numbers, sizes and cells read in a language?

/** @typedef {'en' | 'ko'} Language */
/** @typedef {{en: string, ko: string}} Words  the same in both languages */
/** @typedef {string | number | boolean | null | Words} Cell  a raw value of a table */

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * Return a number with so many decimals.
 * @param {number} value
 * @param {Language} language
 * @param {number} [decimals]
 * @returns {string}
 */
export function numberText(value, language, decimals = 0) {
  const key = `${language} ${decimals}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    formats.set(key, format);
  }
  return format.format(value);
}

/**
 * Return a size as B, KB or MB, of 1024 each.
 * @param {number} bytes
 * @param {Language} language
 * @returns {string}
 */
export function sizeText(bytes, language) {
  if (bytes < 1024) return `${numberText(bytes, language)} B`;
  if (bytes < 1024 * 1024) return `${numberText(bytes / 1024, language, 1)} KB`;
  return `${numberText(bytes / 1024 / 1024, language, 2)} MB`;
}

/**
 * Return a date, given as 2026-08-30, as the language writes it.
 * @param {string} date
 * @param {Language} language
 * @returns {string}
 */
export function dateText(date, language) {
  const [year, month, day] = date.split('-').map(Number);
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(year, month - 1, day));
}

/**
 * Return whether a cell holds words in both languages.
 * @param {unknown} cell
 * @returns {cell is Words}
 */
export function isWords(cell) {
  return typeof cell === 'object' && cell !== null && 'en' in cell && 'ko' in cell;
}

/**
 * Return the text of a cell; an undefined value is a dash.
 * @param {Cell} cell
 * @param {Language} language
 * @param {number} decimals  for numbers that are no counts
 * @returns {string}
 */
export function cellText(cell, language, decimals) {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'number') return numberText(cell, language, decimals);
  return printable(isWords(cell) ? cell[language] : String(cell));
}

/**
 * Return text with its control characters spelled out, so that an id cannot break a line or turn it round.
 * @param {string} text
 * @returns {string}
 */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => {
    const code = /** @type {number} */ (one.codePointAt(0));
    return { 9: '\\t', 10: '\\n', 13: '\\r' }[code] ?? `\\u{${code.toString(16).padStart(4, '0')}}`;
  });
}
