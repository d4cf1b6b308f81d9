// @ts-check
// Which corpus, queries and judgments are searched: the packaged example, or what a person pastes, opens or drops?

import { button, number, segments } from '../controls.mjs';
import { givenText } from '../files.mjs';
import { html, nothing } from '../lit.mjs';
import { dropArea, isWrong, put, refuse, slot, take, ways } from '../places.mjs';
import { comparisonTexts } from './comparison_texts.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

/** The places of files, as the engine calls them. */
export const ROLES = ['corpus', 'queries', 'qrels'];
export const DEEPEST = 100;

/**
 * Return the part of the tab in which everything is set.
 * @param {Context} context
 * @param {import('../answers.mjs').Fault | null} fault  why what was given cannot be searched
 */
export function given(context, fault) {
  const { language, settings, set } = context;
  const t = comparisonTexts(language);
  return html`<div class=${settings.data === 'own' ? 'given' : ''} role="group" aria-label=${t.given}>
    ${segments({
      label: t.data,
      name: 'data',
      value: settings.data,
      options: [{ value: 'example', label: t.example }, { value: 'own', label: t.own }],
      change: (data) => set({ data }),
    })}
    <div class="controls">${number({ label: t.k, value: settings.k, min: 1, max: DEEPEST, change: (k) => set({ k }) })}</div>
    ${settings.data === 'own' ? own(context, fault) : nothing}
  </div>`;
}

/**
 * @param {Context} context
 * @param {import('../answers.mjs').Fault | null} fault
 */
function own(context, fault) {
  const t = comparisonTexts(context.language);
  const label = (/** @type {string} */ role) => t[/** @type {'corpus'} */ (role)];
  const taken = (/** @type {File[]} */ [file], /** @type {string} */ role) => take(context, { [role]: file });
  const slots = ROLES.map((role) => slot(context, role, { label: label(role), rows: 5, invalid: isWrong(context, ROLES, role, fault), described: 'given-hint', take: taken }));
  const dropped = (/** @type {File[]} */ files, /** @type {string | undefined} */ role) => files.length && role && taken(files, role);
  return html`<p class="quiet" id="given-hint">${t.own_hint}</p>
    <div class="buttons">${button({ label: t.start, act: () => start(context) })}</div>
    ${dropArea(dropped, slots)}
    <div class="buttons">${ways(context, ROLES)}</div>
    <p class="quiet">${t.kept}</p>`;
}

/**
 * Lay the packaged example out, to be changed.
 * @param {Context} context
 */
async function start(context) {
  const texts = await context.call('example_texts', {}).catch((/** @type {unknown} */ error) => refuse(context, '', error));
  if (!texts) return;
  put(context, Object.fromEntries(ROLES.map((role) => [role, givenText(texts[role])])));
}
