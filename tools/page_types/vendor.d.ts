// What the build lays into vendor/, for the checker of types.
declare module '*/vendor/lit-html.mjs' {
  export * from 'lit-html';
}
declare module '*/vendor/vega.mjs' {
  export function draw(place: Element, spec: object, options: object): Promise<{ finalize: () => void }>;
}
declare module '*/vendor/pyodide.mjs' {
  export * from 'pyodide';
}
