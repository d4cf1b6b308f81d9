// @ts-check
// What does a split by rows do to queries that ask the same in other words?

import { answered } from '../answered.mjs';
import { button, number } from '../controls.mjs';
import { html } from '../lit.mjs';
import { renderPage } from '../render.mjs';
import { TEXTS as TEACHING } from './teaching.mjs';

/** @typedef {import('./tabs.mjs').Context} Context */

const MOST_SEED = 1_000_000;

const EN = {
  what: 'A test split is to hold queries that nothing was made with. It leaks where a query of it stands, in other words, among those that a system was tuned or trained on: then a good value tells that the system remembers, not that it finds.',
  idea: 'Queries that ask the same are a family. Split row by row, members of one family fall into train, dev and test; split by group, a family falls into one split whole.',
  here: 'Here each query of the example gets variants, a word appended to each (확인, 기준, …; check, rules, …). All are split 60/20/20, by row and by group, and both splits are audited.',
  variants: 'Variants of each query',
  seed: 'Seed',
  draw: 'Draw again',
};

/** @type {typeof EN} */
const KO = {
  what: '테스트 분할에는 시스템을 만드는 데 쓰지 않은 질의만 있어야 합니다. 튜닝이나 학습에 쓴 질의와 말만 다르고 같은 것을 묻는 질의가 테스트에 있으면 누출입니다. 그때 좋은 값은 잘 찾는다는 뜻이 아니라 기억한다는 뜻입니다.',
  idea: '같은 것을 묻는 질의들은 한 묶음입니다. 행별로 나누면 한 묶음의 질의들이 train, dev, test로 흩어지고, 묶음별로 나누면 한 묶음은 통째로 한 분할에 들어갑니다.',
  here: '여기서는 예제의 질의마다 단어 하나를 덧붙인 변형(확인, 기준, …; check, rules, …)을 만들고, 전체를 60/20/20으로 행별과 묶음별로 나눈 다음 두 분할을 감사합니다.',
  variants: '질의마다 변형 수',
  seed: '시드',
  draw: '다시 뽑기',
};

export const TEXTS = { en: EN, ko: KO };

/** @type {import('./tabs.mjs').Tab} */
export const leakage = {
  id: 'leakage',
  title: { en: 'Leakage', ko: '누출' },
  heading: { en: 'Leakage', ko: '누출' },
  intro: {
    en: 'Does the test know what the training saw? Queries that ask the same, split in two ways.',
    ko: '학습에서 본 것을 테스트가 다시 묻는가? 같은 것을 묻는 질의들을 두 가지로 나누어 봅니다.',
  },
  settings: {
    variants: { kind: 'integer', initial: 3, min: 1, max: 8 },
    seed: { kind: 'integer', initial: 1, min: 1, max: MOST_SEED },
  },
  view,
};

/** @param {Context} context */
function view(context) {
  const { language, settings, set } = context;
  const [t, shared] = [TEXTS[language], TEACHING[language]];
  const answer = context.ask('leakage', settings, { delay: 150 });
  return html`<section><h2>${shared.what}</h2><p>${t.what}</p><h3>${shared.idea}</h3><p>${t.idea}</p></section>
    <section><h2>${shared.try}</h2><p>${t.here}</p>
      <div class="controls">
        ${number({ label: t.variants, value: settings.variants, min: 1, max: 8, change: (variants) => set({ variants }) })}
        ${number({ label: t.seed, value: settings.seed, min: 1, max: MOST_SEED, change: (seed) => set({ seed }) })}
      </div>
      <div class="buttons">${button({ label: t.draw, act: () => set({ seed: (settings.seed % MOST_SEED) + 1 }) })}</div>
    </section>
    ${answered(answer, language, ({ page }) => renderPage(page, language))}`;
}
