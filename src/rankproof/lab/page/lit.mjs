// @ts-check
// What do the modules of the page draw with? One door to lit-html, so that its place is written once.

export { html, nothing, render } from './vendor/lit-html.mjs';
