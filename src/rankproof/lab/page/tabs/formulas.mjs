// @ts-check
// How do the formulas look that are taught? As MathML, which a screen reader speaks.

import { html } from '../lit.mjs';

/** @typedef {import('../format.mjs').Language} Language */

/** Precision: the relevant documents within k, over k. */
export function precision() {
  return html`<p><math display="block"><mrow><mtext>P@k</mtext><mo>=</mo>
    <mfrac><mrow><mo>|</mo><msub><mi>R</mi><mi>k</mi></msub><mo>∩</mo><mi>G</mi><mo>|</mo></mrow><mi>k</mi></mfrac></mrow></math></p>`;
}

/** Recall: the relevant documents within k, over all relevant ones. */
export function recall() {
  return html`<p><math display="block"><mrow><mtext>R@k</mtext><mo>=</mo>
    <mfrac><mrow><mo>|</mo><msub><mi>R</mi><mi>k</mi></msub><mo>∩</mo><mi>G</mi><mo>|</mo></mrow><mrow><mo>|</mo><mi>G</mi><mo>|</mo></mrow></mfrac></mrow></math></p>`;
}

/**
 * Reciprocal rank: one over the rank of the first relevant document.
 * @param {Language} language
 */
export function reciprocalRank(language) {
  const first = { en: 'rank of the first relevant document', ko: '첫 적합 문서의 순위' }[language];
  return html`<p><math display="block"><mrow><mtext>RR@k</mtext><mo>=</mo><mfrac><mn>1</mn><mtext>${first}</mtext></mfrac></mrow></math></p>`;
}

/**
 * Discounted cumulative gain: each gain, divided by the logarithm of its place.
 * @param {Language} language
 */
export function dcg(language) {
  const grade = { en: 'grade', ko: '등급' }[language];
  return html`<p><math display="block"><mrow><mtext>DCG@k</mtext><mo>=</mo>
    <munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>k</mi></munderover>
    <mfrac><mrow><msup><mn>2</mn><msub><mtext>${grade}</mtext><mi>i</mi></msub></msup><mo>−</mo><mn>1</mn></mrow>
    <mrow><msub><mi>log</mi><mn>2</mn></msub><mo>(</mo><mi>i</mi><mo>+</mo><mn>1</mn><mo>)</mo></mrow></mfrac></mrow></math></p>`;
}

/** nDCG: what was gained, over what could have been. */
export function ndcg() {
  return html`<p><math display="block"><mrow><mtext>nDCG@k</mtext><mo>=</mo><mfrac><mtext>DCG@k</mtext><mtext>IDCG@k</mtext></mfrac></mrow></math></p>`;
}

/**
 * RRF: one over a constant plus the rank, from each ranking that holds the document.
 * @param {Language} language
 */
export function rrf(language) {
  const rank = { en: 'rank', ko: '순위' }[language];
  return html`<p><math display="block"><mrow><mtext>RRF</mtext><mo>(</mo><mi>d</mi><mo>)</mo><mo>=</mo>
    <munder><mo>∑</mo><mi>r</mi></munder>
    <mfrac><mn>1</mn><mrow><mn>60</mn><mo>+</mo><msub><mtext>${rank}</mtext><mi>r</mi></msub><mo>(</mo><mi>d</mi><mo>)</mo></mrow></mfrac></mrow></math></p>`;
}
