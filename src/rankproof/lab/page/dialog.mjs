// @ts-check
// How does something open over the page, and give the keyboard back when it closes?

import { texts } from './i18n.mjs';
import { html, render } from './lit.mjs';

/** @typedef {import('./format.mjs').Language} Language */

/**
 * @typedef {object} Opened
 * @property {string} heading
 * @property {Language} language
 * @property {unknown} content
 * @property {unknown} [tools]  buttons beside the one that closes
 * @property {() => void} closed  is told when it was closed, by the button or by Escape
 */

/** `<lab-dialog>`: open while it stands in the page. */
class LabDialog extends HTMLElement {
  /** @type {Opened | null} */
  #shown = null;

  /** @param {Opened} shown */
  set shown(shown) {
    this.#shown = shown;
    if (this.isConnected) this.#draw(shown);
  }

  connectedCallback() {
    if (!this.#shown) return;
    this.#draw(this.#shown);
    this.querySelector('dialog')?.showModal();
  }

  /** @param {Opened} shown */
  #draw({ heading, language, content, tools, closed }) {
    render(
      html`<dialog aria-labelledby="dialog-heading" @close=${closed}>
        <div class="dialog-head">
          <h2 id="dialog-heading" tabindex="-1" autofocus>${heading}</h2>
          <div class="buttons">${tools}<button type="button" @click=${() => this.querySelector('dialog')?.close()}>${texts(language).close}</button></div>
        </div>
        <div class="dialog-body">${content}</div>
      </dialog>`,
      this,
    );
  }
}

customElements.define('lab-dialog', LabDialog);

/**
 * Return the template of something that is open over the page.
 * @param {Opened} shown
 */
export function dialogOf(shown) {
  return html`<lab-dialog .shown=${shown}></lab-dialog>`;
}
