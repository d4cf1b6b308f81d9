// @ts-check
// What does an element of ours do when something about it changes? It is drawn again, once, soon.

/** An element that draws itself while it is in the page. */
export class Drawn extends HTMLElement {
  #waiting = false;

  connectedCallback() {
    this.redraw();
  }

  /** Draw soon, once for all that changed. */
  redraw() {
    if (!this.isConnected || this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (this.isConnected) this.draw();
    });
  }

  /** Draw what there is to draw now. */
  draw() {}
}
