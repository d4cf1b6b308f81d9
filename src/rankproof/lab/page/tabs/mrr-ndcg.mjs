// @ts-check
// What does the order of a ranking change? Reciprocal rank and nDCG, term by term.

import { html } from '../lit.mjs';
import { dcg, ndcg, reciprocalRank } from './formulas.mjs';
import { lesson, ONE_QUERY, oneQuery } from './teaching.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const EN = {
  what: 'The reciprocal rank is 1 for a relevant document in the first place, 1/2 for the second, and so on; 0 if none is within k. Its mean over queries is MRR. nDCG adds what each document is worth by its grade, counts it less the further down it stands, and divides by the best that was possible.',
  idea: 'The same number of hits in another order is another ranking: precision and recall do not see that. RR looks at the first hit alone. nDCG looks at all: a high grade in a low place is a loss.',
  ideal: 'IDCG is the DCG of the ideal ranking: all judged documents of the query, the highest grades first, cut at k.',
};

/** @type {typeof EN} */
const KO = {
  what: '역순위는 첫째 자리에 적합 문서가 있으면 1, 둘째 자리면 1/2과 같이 정하고, k 안에 없으면 0입니다. 그 질의 평균이 MRR입니다. nDCG는 문서마다 등급에 따른 이득을 아래로 갈수록 적게 세어 더한 다음, 가능한 최댓값으로 나눕니다.',
  idea: '적합 문서 수가 같아도 순서가 다르면 다른 순위인데, 정밀도와 재현율은 이것을 보지 못합니다. RR은 첫 적합 문서만 봅니다. nDCG는 모두를 보며, 높은 등급의 문서가 아래에 있으면 손해로 셉니다.',
  ideal: 'IDCG는 이상적 순위의 DCG입니다. 질의의 판정된 문서 전체를 등급이 높은 것부터 놓고 k에서 자릅니다.',
};

export const TEXTS = { en: EN, ko: KO };

/** @type {import('./tabs.mjs').Tab} */
export const mrrNdcg = {
  id: 'mrr-ndcg',
  title: { en: 'MRR and nDCG', ko: 'MRR과 nDCG' },
  heading: { en: 'MRR and nDCG', ko: 'MRR과 nDCG' },
  intro: {
    en: 'Same hits, other order, other value.',
    ko: '적합 문서는 같아도 순서가 다르면 값이 다릅니다.',
  },
  settings: ONE_QUERY,
  view,
};

/** @param {Context} context */
function view(context) {
  const { language } = context;
  const t = TEXTS[language];
  const formulas = html`${reciprocalRank(language)}${dcg(language)}${ndcg()}<p class="quiet">${t.ideal}</p>`;
  return html`${lesson(language, t, formulas)}${oneQuery(context, 'mrr_ndcg')}`;
}
