// @ts-check
// Which tabs does the lab have, in which order? The first one opens where the address names none.

import { about } from './about.mjs';
import { closedCorpus } from './closed-corpus.mjs';
import { comparison } from './comparison.mjs';
import { contracts } from './contracts.mjs';
import { interleaving } from './interleaving.mjs';
import { lab } from './lab.mjs';
import { leakage } from './leakage.mjs';
import { mrrNdcg } from './mrr-ndcg.mjs';
import { precisionRecall } from './precision-recall.mjs';

/**
 * What a tab's view is given.
 * @typedef {object} Context
 * @property {import('../format.mjs').Language} language
 * @property {Record<string, any>} settings  the values of the tab's settings
 * @property {(changes: Record<string, any>) => void} set  changes settings: the address and the page follow
 * @property {import('../answers.mjs').Answers['ask']} ask  asks the engine; returns the state of the question at once
 * @property {() => void} hurry  asks at once what waits for a pause
 * @property {(slot: string) => void} forget  drops a question
 * @property {(name: string, args: any) => Promise<any>} call  asks once: the result, or an error (Refused)
 * @property {Record<string, any>} memory  the tab's own, kept until the page is closed, never written down
 * @property {() => void} redraw
 * @property {() => void} stop  ends what the engine is calculating
 * @property {import('../engine.mjs').Info | null} engine  null until the engine is ready
 */

/**
 * One tab. `view` returns its template, and is called again whenever something changed; it holds no state of its own.
 * @typedef {object} Tab
 * @property {string} id  its address: `#/id`
 * @property {import('../format.mjs').Words} title  its name in the list of tabs
 * @property {import('../format.mjs').Words} heading
 * @property {import('../format.mjs').Words} intro  what it is for: there before the engine is
 * @property {import('../address.mjs').Settings} settings
 * @property {(context: Context) => unknown} view
 */

/** @type {readonly Tab[]} */
export const TABS = [lab, precisionRecall, mrrNdcg, comparison, leakage, interleaving, closedCorpus, contracts, about];
