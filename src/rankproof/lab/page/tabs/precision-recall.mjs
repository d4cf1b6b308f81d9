// @ts-check
// How many of the first k are relevant, and how many of the relevant are among the first k?

import { number } from '../controls.mjs';
import { html } from '../lit.mjs';
import { precision, recall } from './formulas.mjs';
import { lesson, ONE_QUERY, oneQuery } from './teaching.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const EN = {
  what: 'Precision at k is the share of the first k places that hold a relevant document. Recall at k is the share of all relevant documents that stand in the first k places.',
  idea: 'Precision asks what a reader has to wade through; recall asks what a reader misses. A larger k never lowers recall, and often lowers precision: it need not raise both. k stays what it is even if fewer documents come back, and recall is undefined where no document is relevant.',
  sets: 'Rₖ: the first k documents that came back. G: the documents judged relevant.',
  from: 'Relevant from grade',
  from_hint: 'with 4 nothing is relevant',
};

/** @type {typeof EN} */
const KO = {
  what: 'k에서의 정밀도는 앞쪽 k개 자리 가운데 적합 문서가 있는 자리의 비율입니다. k에서의 재현율은 적합 문서 전체 가운데 앞쪽 k개 자리에 온 문서의 비율입니다.',
  idea: '정밀도는 읽는 사람이 무엇을 헤쳐 나가야 하는지, 재현율은 무엇을 놓치는지 묻습니다. k가 커지면 재현율은 낮아지지 않지만 정밀도는 흔히 낮아지므로, 둘이 함께 오르는 것은 아닙니다. 문서가 k개보다 적게 나와도 k는 그대로이며, 적합 문서가 없으면 재현율은 정의되지 않습니다.',
  sets: 'Rₖ: 앞쪽 k개 문서. G: 적합하다고 판정된 문서.',
  from: '적합으로 볼 등급',
  from_hint: '4로 하면 적합 문서가 없음',
};

export const TEXTS = { en: EN, ko: KO };

/** @type {import('./tabs.mjs').Tab} */
export const precisionRecall = {
  id: 'precision-recall',
  title: { en: 'Precision and recall', ko: '정밀도와 재현율' },
  heading: { en: 'Precision and recall', ko: '정밀도와 재현율' },
  intro: {
    en: 'Of what came back, how much is relevant? Of what is relevant, how much came back?',
    ko: '나온 것 가운데 얼마나 적합한가? 적합한 것 가운데 얼마나 나왔는가?',
  },
  settings: { ...ONE_QUERY, from: { kind: 'integer', initial: 1, min: 1, max: 4 } },
  view,
};

/** @param {Context} context */
function view(context) {
  const { language, settings, set } = context;
  const t = TEXTS[language];
  const from = number({ label: t.from, value: settings.from, min: 1, max: 4, hint: t.from_hint, change: (grade) => set({ from: grade }) });
  return html`${lesson(language, t, html`${precision()}${recall()}<p class="quiet">${t.sets}</p>`)}
    ${oneQuery(context, 'precision_recall', from)}`;
}
