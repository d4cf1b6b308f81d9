// @ts-check
// What does the pointer read off a chart?

const EDGE = 14;
/** @type {HTMLElement | null} */
let tip = null;

/**
 * Show, or hide, the values under the pointer; this is a Vega tooltip handler.
 * @param {unknown} _handler
 * @param {MouseEvent | null} event
 * @param {unknown} _item
 * @param {Record<string, unknown> | null | undefined | ''} value
 */
export function showTip(_handler, event, _item, value) {
  if (!event || !value) {
    if (tip) tip.hidden = true; // a chart that goes takes it along
    return;
  }
  tip ??= made();
  const over = event.target instanceof Element ? event.target.closest('dialog') : null; // nothing else lies over a dialog
  (over ?? document.body).append(tip);
  tip.hidden = false;
  tip.replaceChildren(...Object.entries(value).map(([name, content]) => line(name, content)));
  const { width, height } = tip.getBoundingClientRect();
  const right = event.clientX + EDGE;
  tip.style.left = `${right + width > innerWidth ? Math.max(0, event.clientX - width - EDGE) : right}px`;
  tip.style.top = `${Math.max(0, Math.min(event.clientY + EDGE, innerHeight - height))}px`;
}

function made() {
  const found = Object.assign(document.createElement('div'), { className: 'tip' });
  found.setAttribute('aria-hidden', 'true'); // the table beside the chart is what is read out
  return found;
}

/**
 * @param {string} name
 * @param {unknown} content
 */
function line(name, content) {
  const made = document.createElement('div');
  const text = typeof content === 'number' && !Number.isInteger(content) ? content.toFixed(4) : String(content);
  made.append(name.trim() ? `${name}: ` : '', Object.assign(document.createElement('b'), { textContent: text }));
  return made;
}
