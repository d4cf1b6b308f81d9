// What does Python need to start quickly in the page? Its standard library and rankproof, compiled beforehand.
// node tools/lab_stdlib.mjs ENGINE.zip DIR writes, by Pyodide's own Python, without a network:
//   python_stdlib.zip   the modules of the standard library that rankproof's files and Pyodide import, compiled
//   compiled.zip        rankproof's modules, compiled; Python checks each against its source, and compiles what differs
//     (both zips hold one zip, in which nothing is packed: packed as a whole it takes less)
//   pyodide-lock.json   which build of Pyodide this is, and that there are no further packages
// The same input gives the same bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';

const [engine, folder] = process.argv.slice(2);
const pyodide = fileURLToPath(new URL('.', import.meta.resolve('pyodide')));
const python = await loadPyodide({ indexURL: pyodide, stderr: (line) => console.error(line) });
python.FS.writeFile('/engine.zip', readFileSync(engine));
python.FS.writeFile('/stdlib.zip', readFileSync(join(pyodide, 'python_stdlib.zip')));
python.runPython(readFileSync(new URL('lab_stdlib.py', import.meta.url), 'utf8'));
for (const name of ['python_stdlib.zip', 'compiled.zip']) writeFileSync(join(folder, name), python.FS.readFile(`/made/${name}`));
const { info } = JSON.parse(readFileSync(join(pyodide, 'pyodide-lock.json'), 'utf8'));
writeFileSync(join(folder, 'pyodide-lock.json'), JSON.stringify({ info, packages: {} }));
