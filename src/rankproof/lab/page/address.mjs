// @ts-check
// Which tab and which settings does the address name? Settings stand in the hash; data never does.

/**
 * One setting of a tab, as its module declares it.
 * @typedef {object} Setting
 * @property {'integer' | 'number' | 'choice' | 'text' | 'flag'} kind
 * @property {any} initial  what holds where the address says nothing; it is not written into the address
 * @property {number} [min]
 * @property {number} [max]
 * @property {readonly string[]} [options]  of a choice
 */

/** @typedef {Record<string, Setting>} Settings */

/**
 * Take an address apart: `#/lab?k=3` is the tab `lab` with the parameter k.
 * @param {string} hash
 * @returns {{tab: string, parameters: URLSearchParams}}
 */
export function readAddress(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { tab: path, parameters: new URLSearchParams(query) };
}

/**
 * Return the values of a tab's settings; what the address says wrongly is as if not said.
 * @param {Settings} settings
 * @param {URLSearchParams} parameters
 * @returns {Record<string, any>}
 */
export function readSettings(settings, parameters) {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const text = parameters.get(name);
      return [name, (text === null ? undefined : READERS[setting.kind](text, setting)) ?? setting.initial];
    }),
  );
}

/**
 * Write an address: settings that are at their initial value are left out.
 * @param {string} tab
 * @param {Settings} settings
 * @param {Record<string, any>} values
 * @param {Record<string, string | null>} shared  what all tabs share, such as the language; null is left out
 * @returns {string}
 */
export function writeAddress(tab, settings, values, shared = {}) {
  const parameters = new URLSearchParams();
  for (const [name, setting] of Object.entries(settings)) {
    if (values[name] !== setting.initial) parameters.set(name, setting.kind === 'flag' ? String(Number(values[name])) : String(values[name]));
  }
  for (const [name, value] of Object.entries(shared)) if (value !== null) parameters.set(name, value);
  const query = parameters.toString();
  return `#/${tab}${query ? `?${query}` : ''}`;
}

/** @type {Record<Setting['kind'], (text: string, setting: Setting) => any>} */
const READERS = {
  integer: (text, setting) => (/^-?\d+$/.test(text) ? within(Number(text), setting) : undefined),
  number: (text, setting) => (text.trim() === '' ? undefined : within(Number(text), setting)),
  choice: (text, setting) => (setting.options?.includes(text) ? text : undefined),
  text: (text) => text,
  flag: (text) => ({ 0: false, 1: true })[text],
};

/** @type {(value: number, setting: Setting) => number | undefined} */
function within(value, { min = -Infinity, max = Infinity }) {
  return Number.isFinite(value) && value >= min && value <= max ? value : undefined;
}
