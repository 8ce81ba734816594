import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { openCorpus } from './quality-corpus.mjs';
import { everydayFiles, measureEveryday, scoreLabels } from './quality-measure.mjs';
import { aligned } from './quality-report.mjs';
import { presetRules } from './quality-rules.mjs';
import { rules as allRules } from './without-rules.mjs';

/**
 * What each rule of the engine is worth: takes it out alone, scores `balanced` without it, and prints what changed.
 *
 * @typedef {import('./without-rules.mjs').Rule} Rule
 * @typedef {ReturnType<typeof openCorpus>} Corpus
 */

const usage = `usage: without [PATH…] [options]
  PATH          folders with labels.jsonl and traces (default: this repository's two corpora)
  --rule NAME   only the rules whose name holds this; may be repeated
  --list        print their names
The first row is the engine as it is: its bytes, gzipped; for each folder loops caught, clean sessions alarmed, F1, and
everyday sessions alarmed where it has any. Then a row for each rule: the same without it, or "same".`;

const source = fileURLToPath(new URL('../../packages/core/src', import.meta.url));
const usualFolders = ['../../corpus', '../../corpus-unseen'].map((one) => fileURLToPath(new URL(one, import.meta.url)));

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function run() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rule: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const asked = values.rule;
  const rules = allRules.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
  if (rules.length === 0) throw new Error(`no rule is named like ${asked.join(', ')}; --list prints all names`);
  if (values.list) return console.log(rules.map(({ name }) => name).join('\n'));
  const corpora = (positionals.length > 0 ? positionals : usualFolders).map(openCorpus);
  const whole = /** @type {NonNullable<Awaited<ReturnType<typeof scoreOf>>>} */ (await scoreOf(corpora, undefined));
  const rows = [['all rules', `${whole.bytes}`, ...whole.scores]];
  for (const [k, rule] of rules.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${k + 1} of ${rules.length} `);
    const without = await scoreOf(corpora, rule);
    if (without === undefined) {
      console.error(`${rule.name}: the source has changed; its row in without-rules.mjs has to change with it`);
      process.exitCode = 1;
      continue;
    }
    const scores = without.scores.map((score, at) => (score === whole.scores[at] ? 'same' : score));
    rows.push([rule.name, `${without.bytes - whole.bytes}`, ...scores]);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  console.log(aligned(rows));
}

/**
 * The scores without a rule; `undefined` where the source does not hold it any more.
 *
 * @param {readonly Corpus[]} corpora
 * @param {Rule | undefined} rule
 */
async function scoreOf(corpora, rule) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-without-'));
  try {
    cpSync(source, folder, { recursive: true });
    if (rule !== undefined && !takeOut(folder, rule)) return undefined;
    const { core, bytes } = await buildIn(folder);
    const balanced = presetRules('balanced', { detectors: core.balanced() }, console.error, core.createWatch);
    const scores = [];
    for (const corpus of corpora) scores.push(await scoreOn(corpus, balanced));
    return { bytes, scores };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {Rule} rule @returns {boolean} whether it stood there once */
function takeOut(folder, { file, from, to }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) return false;
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return true;
}

/** @param {Corpus} corpus @param {import('./quality-rules.mjs').Rules} balanced */
async function scoreOn(corpus, balanced) {
  const results = await scoreLabels(corpus, [balanced]);
  const files = everydayFiles.filter((name) => corpus.has(name));
  await measureEveryday(corpus, files, [balanced], results);
  const { score, everyday } = results[0];
  const work = everyday?.sessions ? `, everyday ${everyday.alarmed.length}` : '';
  return `${score.caught}/${score.loopSessions} ${score.cleanAlarmed}/${score.cleanSessions} ${score.f1.toFixed(3)}${work}`;
}

/** The core of a folder, and its size with the preset. @param {string} folder */
async function buildIn(folder) {
  const entry = join(folder, 'without.ts');
  writeFileSync(
    entry,
    `export { createWatch } from './index.js';\nexport { balanced } from './presets/balanced.js';\n`,
  );
  const options = { entryPoints: [entry], bundle: true, format: /** @type {const} */ ('esm'), target: 'es2022' };
  const outfile = join(folder, 'without.mjs');
  await build({ ...options, outfile });
  const { outputFiles } = await build({ ...options, minify: true, write: false });
  const core = await import(pathToFileURL(outfile).href);
  return { core, bytes: gzipSync(outputFiles[0].contents).length };
}
