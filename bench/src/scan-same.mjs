/**
 * Whether a change that should only make `loopfuse scan` faster leaves its reports as they were: reads the same logs
 * with this checkout and with another one, both built, and compares all findings, with their words, evidence and cost.
 *
 *     npm run bench:scan-same -- OTHER_CHECKOUT PATH…
 *
 * Prints the first differences and ends with 1 where there are any.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [other, ...paths] = process.argv.slice(2);
if (other === undefined || paths.length === 0) {
  console.error('Expected another checkout and what to read: npm run bench:scan-same -- OTHER_CHECKOUT PATH…');
  process.exit(2);
}

const before = await scannerOf(resolve(other));
const after = await scannerOf(fileURLToPath(new URL('../..', import.meta.url)));
const mostShown = 10;
const totals = { files: 0, sessions: 0, findings: 0, different: 0 };

for (const path of paths) await walk(path);
console.log(
  `${totals.files} files, ${totals.sessions} sessions, ${totals.findings} loops and suspicions; ${totals.different} sessions differ`,
);
process.exitCode = totals.different === 0 ? 0 : 1;

/** @param {string} checkout @returns {Promise<(file: string) => Promise<any>>} */
async function scannerOf(checkout) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(checkout, 'packages/cli/dist', path)).href);
  const { scanFile } = await load('recorded/scan-file.js');
  const { presets } = await load('presets.js');
  return (file) => scanFile(file, presets[0]);
}

/** @param {string} path */
async function walk(path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) await walk(join(path, name));
  else compare(path, await before(path), await after(path));
}

/** @param {string} file @param {any} old @param {any} young */
function compare(file, old, young) {
  totals.files++;
  const faults = [old, young].map(({ faults, moreFaults }) => JSON.stringify({ faults, moreFaults }));
  if (faults[0] !== faults[1]) show(file, 'faults', faults[0], faults[1]);
  for (let k = 0; k < Math.max(old.reports.length, young.reports.length); k++) {
    totals.sessions++;
    totals.findings += young.reports[k]?.loops.length ?? 0;
    const [was, is] = [old.reports[k], young.reports[k]].map(textOf);
    if (was !== is) show(file, young.reports[k]?.session.id ?? old.reports[k].session.id, was, is);
  }
}

/** What a reader of the report sees; the print, by which copies are known, is good within one build only. */
function textOf(/** @type {any} */ report) {
  return JSON.stringify(report, (key, value) => (key === 'print' ? undefined : value)) ?? 'no report';
}

/** @param {string} file @param {string} what @param {string} was @param {string} is */
function show(file, what, was, is) {
  if (totals.different++ >= mostShown) return;
  let at = 0;
  while (was[at] === is[at]) at++;
  const from = Math.max(0, at - 60);
  console.log(`${file}, ${what}:\n  was …${was.slice(from, at + 100)}\n  is  …${is.slice(from, at + 100)}`);
}
