'use strict';
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById('data').textContent);
  const LANGUAGES = { en: 'English', ko: '한국어' };
  const STEP = 100;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Folding: everything is open in the file, for readers without scripts. On paper, what the reader opened is open,
  // and the first three of a section: enough to see what is there. All of them would bury what the page says under
  // lists of documents; the others keep their line. The numbers of a chart stay away: the chart is there.
  const folded = all('details');
  const onPaper = 'details:nth-of-type(-n + 3):not(.chart *)';
  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = all(onPaper).filter((one) => !one.open);
    for (const one of unfolded) one.open = true;
  });
  addEventListener('afterprint', () => {
    for (const one of unfolded) one.open = false;
  });

  // Tables: the rows that are not in the file as HTML.
  const filled = (element, words) => {
    if (typeof words === 'string') {
      element.textContent = words;
      return;
    }
    for (const [at, lang] of ['en', 'ko'].entries()) {
      const part = Object.assign(document.createElement('span'), { lang, textContent: words?.[at] ?? '–' });
      if (words === null) {
        part.title = data.undefined[at];
        part.setAttribute('role', 'img');
        part.setAttribute('aria-label', part.title);
      }
      element.append(part);
    }
  };
  const rowOf = (cells, kinds) => {
    const row = document.createElement('tr');
    for (const [at, cell] of cells.entries()) {
      const made = row.insertCell();
      made.className = [kinds[at], cell === null ? 'null' : ''].join(' ').trim();
      filled(made, cell);
    }
    return row;
  };
  for (const button of all('button.more')) {
    const { kinds, rows } = data.tables[Number(button.dataset.table)];
    const body = button.parentElement.previousElementSibling.querySelector('tbody');
    const count = button.parentElement.querySelector('.shown');
    let next = 0;
    button.hidden = false;
    button.addEventListener('click', () => {
      body.append(...rows.slice(next, next + STEP).map((cells) => rowOf(cells, kinds)));
      next = Math.min(next + STEP, rows.length);
      count.textContent = body.rows.length.toLocaleString('en');
      button.hidden = next === rows.length;
    });
  }

  // Contents: mark the section that is being read.
  const links = new Map(all('.contents a').map((link) => [link.hash.slice(1), link]));
  const inView = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](target.id);
    const first = [...links.keys()].find((id) => inView.has(id));
    for (const [id, link] of links) {
      if (id === first) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-15% 0px -55% 0px' });
  for (const section of all('main > section')) watch.observe(section);

  // Charts.
  const tip = Object.assign(document.createElement('div'), { className: 'tip', hidden: true });
  document.body.append(tip);
  const tooltip = (handler, event, item, value) => {
    tip.hidden = value === null || value === undefined || value === '';
    if (tip.hidden) return;
    tip.replaceChildren(...Object.entries(value).map(([name, text]) => {
      const line = document.createElement('div');
      const shown = typeof text === 'number' && !Number.isInteger(text) ? text.toFixed(4) : text;
      line.append(name.trim() ? `${name}: ` : '', Object.assign(document.createElement('b'), { textContent: shown }));
      return line;
    }));
    const { width, height } = tip.getBoundingClientRect();
    const right = event.clientX + 14;
    tip.style.left = `${right + width > innerWidth ? Math.max(0, event.clientX - width - 14) : right}px`;
    tip.style.top = `${Math.max(0, Math.min(event.clientY + 14, innerHeight - height))}px`;
  };
  const figures = all('.chart');
  const views = new Map();
  const main = document.querySelector('main');
  const drawOne = async (figure, chart) => {
    const picture = figure.querySelector('.picture');
    const width = Math.min(860, figure.clientWidth || main.clientWidth - 36);
    const config = width < 520 ? { axis: { labelLimit: Math.round(width / 3.2) }, legend: { columns: 2 } } : {};
    const spec = { ...chart[root.lang], datasets: chart.datasets };
    views.get(figure)?.finalize();
    views.set(figure, await globalThis.rankproofCharts.draw(picture, spec, { width, config, tooltip }));
    picture.querySelector('svg').setAttribute('aria-hidden', 'true'); // one picture, one description; the table reads
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', spec.description);
  };
  let turn = Promise.resolve();
  const drawAll = () => {
    if (!globalThis.rankproofCharts) return turn;
    turn = turn.then(async () => {
      for (const [at, figure] of figures.entries()) {
        try {
          await drawOne(figure, data.charts[at]);
        } catch (error) {
          console.error(error);
          figure.querySelector('details').open = true;
        }
      }
    });
    return turn;
  };
  let drawnAt = main.clientWidth;
  let pause;
  new ResizeObserver(() => {
    if (main.clientWidth === drawnAt || matchMedia('print').matches) return;
    clearTimeout(pause);
    pause = setTimeout(() => {
      drawnAt = main.clientWidth;
      drawAll();
    }, 150);
  }).observe(main);

  // Language.
  const button = document.querySelector('.language');
  const speak = (lang) => {
    const other = lang === 'en' ? 'ko' : 'en';
    root.lang = lang;
    document.title = data.title[lang === 'en' ? 0 : 1];
    button.textContent = LANGUAGES[other];
    button.lang = other;
  };
  button.addEventListener('click', () => {
    speak(root.lang === 'en' ? 'ko' : 'en');
    drawAll();
  });
  button.hidden = false;
  speak(root.lang);

  for (const one of folded) one.open = globalThis.rankproofCharts === undefined && one.parentElement.matches('.chart');
  root.classList.add('ready');
  drawAll().then(() => { root.dataset.drawn = 'yes'; });
})();
