// @ts-check
// In which colours is the page shown?

/** @type {readonly string[]} */
export const THEMES = ['auto', 'light', 'dark'];

/**
 * Set the colours of the page; `auto` follows the system.
 * @param {string} theme
 */
export function setTheme(theme) {
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
}
