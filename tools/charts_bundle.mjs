// What the reports draw their charts with: `rankproofCharts.draw(element, spec, options)` as one script.
// Bundled by hatch_build.py. The expressions of a chart are interpreted, never compiled: a report forbids `eval`.
import { Error as Errors, logger, mergeConfig, parse, View, Warn } from 'vega';
import { compile } from 'vega-lite';
import { expressionInterpreter } from 'vega-interpreter';

/**
 * Draw a Vega-Lite spec as SVG into an element, in place of what it held, and return the view.
 * options.width: pixels of the whole picture (else as the spec says); options.config: merged over the spec's own;
 * options.tooltip: a Vega tooltip handler.
 */
export async function draw(element, spec, { width, config, tooltip } = {}) {
  const sized = width ? { width, autosize: { type: 'fit-x', contains: 'padding' } } : {};
  const own = { background: 'transparent', config: mergeConfig({}, spec.config, config) };
  const compiled = compile({ ...spec, ...sized, ...own }, { logger: logger(Errors) }).spec;
  const view = new View(parse(compiled, null, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    logLevel: Warn,
    hover: true,
    ...(tooltip ? { tooltip } : {}),
  });
  element.replaceChildren();
  return view.initialize(element).runAsync();
}
