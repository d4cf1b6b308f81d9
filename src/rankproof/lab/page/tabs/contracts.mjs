// @ts-check
// What is one ranking worth under each contract, and which rules make the values differ?

import { answered } from '../answered.mjs';
import { button, choice, line, number, selectPlace, textArea } from '../controls.mjs';
import { html, nothing } from '../lit.mjs';
import { renderPage } from '../render.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */
/** @typedef {{grades: string, missed: string, scores: string}} Ranking */

const EN = {
  given: 'One ranking',
  grades: 'Grades in ranked order',
  grades_hint: 'A grade a place: 0 is judged non-relevant, ? is unjudged, =2 is the document of place 2 again. Nothing: the run does not answer the query.',
  missed: 'Grades of relevant documents that were missed',
  scores: 'Scores, one a place (may be left out)',
  measure: 'Measure',
  measure_hint: 'such as nDCG@5, AP, RR@10, Bpref',
  reference: 'Compared with',
  k: 'k of the other measures',
  tries: 'Rankings that contracts score differently',
  graded: 'Grades, one unjudged',
  repeat: 'A repeated document',
  tied: 'Equal scores',
  near: 'Nearly equal scores',
  negative: 'A negative grade',
  nothing: 'Nothing relevant',
  absent: 'No answer',
};

/** @type {typeof EN} */
const KO = {
  given: '순위 하나',
  grades: '순위 순서대로 쓴 등급',
  grades_hint: '자리마다 등급 하나. 0은 비적합 판정, ?는 미판정, =2는 2위의 문서가 다시 나온 것. 비우면 실행이 질의에 답하지 않은 것입니다.',
  missed: '놓친 적합 문서의 등급',
  scores: '점수, 자리마다 하나 (생략 가능)',
  measure: '지표',
  measure_hint: '예: nDCG@5, AP, RR@10, Bpref',
  reference: '비교 기준',
  k: '다른 지표의 k',
  tries: '계약마다 값이 갈리는 순위',
  graded: '등급과 미판정 하나',
  repeat: '되풀이된 문서',
  tied: '같은 점수',
  near: '거의 같은 점수',
  negative: '음수 등급',
  nothing: '적합 문서 없음',
  absent: '답 없음',
};

export const TEXTS = { en: EN, ko: KO };

/** @type {Record<string, Ranking>} */
const RANKINGS = {
  graded: { grades: '0 3 ? 2 0 1', missed: '3 1', scores: '' },
  repeat: { grades: '3 0 =1 2', missed: '1', scores: '' },
  tied: { grades: '0 3 2', missed: '', scores: '1 1 1' },
  near: { grades: '0 3 2', missed: '', scores: '0.30000001 0.3 0.2' },
  negative: { grades: '3 -1 2', missed: '', scores: '' },
  nothing: { grades: '0 ? 0', missed: '', scores: '' },
  absent: { grades: '', missed: '3', scores: '' },
};

/** @type {import('./tabs.mjs').Tab} */
export const contracts = {
  id: 'contracts',
  title: { en: 'Contracts', ko: '계약' },
  heading: { en: 'Why do tools give different numbers?', ko: '도구마다 값이 다른 까닭은?' },
  intro: {
    en: 'A contract is every rule that can change a number: which gain, which ties, which denominator. Write one ranking, and see its value under the rules of each tool, and the rule that makes it differ.',
    ko: '계약은 값을 바꿀 수 있는 모든 규칙입니다. 이득, 동점, 분모 같은 것입니다. 순위 하나를 쓰고, 도구마다의 규칙에 따른 값과 그 값을 다르게 만드는 규칙을 보십시오.',
  },
  settings: {
    measure: { kind: 'text', initial: 'nDCG@5' },
    reference: { kind: 'text', initial: 'rankproof' },
    k: { kind: 'integer', initial: 5, min: 1, max: 100 },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  const { memory, language, settings } = context;
  memory.ranking ??= RANKINGS.graded;
  const { measure, reference, k } = settings;
  const answer = context.ask('contracts', { ...memory.ranking, measure, reference, k });
  return html`<div class="lab">
    ${given(context, Boolean(answer.error))}
    <div class="results">${answered(answer, language, ({ page }) => renderPage(page, language), placeOf)}</div>
  </div>`;
}

/**
 * @param {Context} context
 * @param {boolean} invalid
 */
function given(context, invalid) {
  const { language, settings, set } = context;
  const t = TEXTS[language];
  const known = context.ask('about', {}).result?.contracts.map((/** @type {any} */ one) => one.name) ?? [settings.reference];
  return html`<section class="given" aria-label=${t.given}>
    ${box(context, 'grades', invalid)}
    ${box(context, 'missed', invalid)}
    ${box(context, 'scores', invalid)}
    <div class="controls">
      ${line({ label: t.measure, value: settings.measure, hint: t.measure_hint, change: (measure) => set({ measure }) })}
      ${choice({ label: t.reference, value: settings.reference, options: known.map((/** @type {string} */ name) => ({ value: name, label: name })), change: (reference) => set({ reference }) })}
      ${number({ label: t.k, value: settings.k, min: 1, max: 100, change: (k) => set({ k }) })}
    </div>
    <h2 class="small">${t.tries}</h2>
    <div class="buttons tries">${Object.entries(RANKINGS).map(([name, ranking]) => button({ label: t[/** @type {'tied'} */ (name)], act: () => put(context, ranking) }))}</div>
  </section>`;
}

/**
 * @param {Context} context
 * @param {'grades' | 'missed' | 'scores'} place
 * @param {boolean} invalid
 */
function box(context, place, invalid) {
  const { language, memory } = context;
  const described = place === 'grades' ? 'grades-hint' : undefined;
  const change = (/** @type {string} */ text) => put(context, { ...memory.ranking, [place]: text });
  return html`<div class="slot">${textArea({ id: `given-${place}`, label: TEXTS[language][place], value: memory.ranking[place], rows: 1, invalid, described, change })}
    ${described ? html`<p class="quiet" id=${described}>${TEXTS[language].grades_hint}</p>` : nothing}</div>`;
}

/**
 * @param {Context} context
 * @param {Ranking} ranking
 */
function put({ memory, redraw }, ranking) {
  memory.ranking = ranking;
  redraw();
}

/** @param {import('../answered.mjs').OneFault} fault */
function placeOf({ file, line: row, column }) {
  const box_ = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(`given-${file}`));
  return box_ && row ? () => selectPlace(box_, row, typeof column === 'number' ? column : null) : null;
}
