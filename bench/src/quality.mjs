import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changeRows } from './quality-changes.mjs';
import { openCorpus } from './quality-corpus.mjs';
import { graftRows } from './quality-grafts.mjs';
import { everydayFiles, measureDegenerate, measureEveryday, scoreLabels } from './quality-measure.mjs';
import { mixRows } from './quality-mixes.mjs';
import { aligned, everydayText, missesText, scoreTable } from './quality-report.mjs';
import { ruleNames, rulesNamed } from './quality-rules.mjs';
import { calibrationRows, sourceRows } from './quality-sources.mjs';

/**
 * Scores our presets and the peers' rules on labelled traces.
 *
 * @typedef {import('./quality-rules.mjs').Rules} Rules
 * @typedef {import('./quality-report.mjs').Result} Result
 * @typedef {ReturnType<typeof openCorpus>} Corpus
 */

const usage = `usage: quality [PATH] [options]
  PATH                 a folder with labels.jsonl and traces (default: this repository's corpus)
  --preset NAME        score only these rules; a list, may be repeated: ${ruleNames.join(', ')}
  --misses             list missed and late loops and false alarms
  --by-source          a table by source for the first of the rules, and how often its confidence is right
  --held-out A,B       with it: the sources that were not looked at while the rules were made
  --metamorphic        change the sessions in ways a reader would not care about, and score each way
  --grafts             let everyday sessions, or else the clean ones, go round from some step on, and count how often
                       that is seen
  --mixes              put them together in ways that are no loop, and count how many are stopped
  --json               print the scores, and with --misses the misses, as JSON
  --everyday A,B       trace files of everyday work, in which every alarm is suspect
  --degenerate A,B     trace files of texts that degenerate into repetition
  --labels-only        measure neither`;

/** Measured wherever they exist. */
const degenerateFiles = 'degenerate-text';

try {
  await run(options());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function options() {
  return parseArgs({
    allowPositionals: true,
    options: {
      preset: { type: 'string', multiple: true },
      misses: { type: 'boolean', default: false },
      'by-source': { type: 'boolean', default: false },
      'held-out': { type: 'string', default: '' },
      metamorphic: { type: 'boolean', default: false },
      grafts: { type: 'boolean', default: false },
      mixes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      everyday: { type: 'string' },
      degenerate: { type: 'string' },
      'labels-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** @param {ReturnType<typeof options>} given */
async function run({ values, positionals }) {
  if (values.help) return console.log(usage);
  const folder = positionals[0] ?? fileURLToPath(new URL('../../corpus', import.meta.url));
  const corpus = openCorpus(folder);
  const rules = chosenRules(values.preset?.flatMap((names) => names.split(',')) ?? ruleNames);
  const everyday = values['labels-only'] ? [] : filesIn(corpus, values.everyday, everydayFiles.join(','));
  if (values.metamorphic) return console.log(aligned(await changeRows(corpus, rules, everyday)));
  const work = everyday.length > 0 ? everyday : cleanFiles(corpus);
  if (values.grafts) return console.log(aligned(await graftRows(corpus, rules, work)));
  if (values.mixes) return console.log(aligned(await mixRows(corpus, rules, work)));
  const results = await scoreLabels(corpus, rules);
  if (!values['labels-only']) {
    if (everyday.length > 0) await measureEveryday(corpus, everyday, rules, results);
    const degenerate = filesIn(corpus, values.degenerate, degenerateFiles);
    if (degenerate.length > 0) await measureDegenerate(corpus, degenerate, rules, results);
  }
  if (values.json) console.log(JSON.stringify(jsonOf(folder, results, values.misses), undefined, 2));
  else printResults(results, values.misses);
  if (values['by-source'] && !values.json) {
    const heldOut = values['held-out'].split(',').filter((name) => name !== '');
    console.log(`\n${results[0].name}, by source\n${aligned(sourceRows(results[0], heldOut))}`);
    console.log(`\nwhat its confidence is worth\n${aligned(calibrationRows(results[0]))}`);
  }
}

/** @param {readonly string[]} names @returns {Rules[]} */
function chosenRules(names) {
  /** @type {Set<string>} */
  const faults = new Set();
  const warn = (/** @type {string} */ line) => {
    const kind = line.replace(/\d+/g, '#');
    if (!faults.has(kind)) console.error(line);
    faults.add(kind);
  };
  return names.flatMap((name) => {
    const rules = rulesNamed(name, warn);
    if (!rules) console.error(`${name}: this build exports no such preset; left out`);
    return rules ?? [];
  });
}

/**
 * @param {Corpus} corpus
 * @param {string | undefined} asked
 * @param {string} usual
 * @returns {string[]}
 */
function filesIn(corpus, asked, usual) {
  const names = (asked ?? usual).split(',').filter((name) => name !== '');
  if (asked !== undefined)
    for (const name of names) if (!corpus.has(name)) throw new Error(`there is no trace file "${name}" in that folder`);
  return names.filter((name) => corpus.has(name));
}

/** The trace files in which every session is clean. @param {Corpus} corpus @returns {string[]} */
function cleanFiles({ labels }) {
  const others = new Set(labels.filter(({ verdict }) => verdict !== 'clean').map(({ file }) => file));
  return [...new Set(labels.map(({ file }) => file))].filter((file) => !others.has(file));
}

/** @param {readonly Result[]} results @param {boolean} misses */
function printResults(results, misses) {
  console.log(scoreTable(results));
  for (const result of results) {
    const line = everydayText(result);
    if (line !== undefined) console.log(line);
  }
  if (misses) console.log(missesText(results));
}

/** @param {string} folder @param {readonly Result[]} results @param {boolean} misses */
function jsonOf(folder, results, misses) {
  return {
    folder,
    rules: Object.fromEntries(
      results.map(({ name, score, everyday, degenerate, judged }) => [
        name,
        {
          ...score,
          everyday: everyday && { ...everyday, bySource: Object.fromEntries(everyday.bySource) },
          degenerate,
          ...(misses ? { misses: missesOf(judged) } : {}),
        },
      ]),
    ),
  };
}

/** @param {Result['judged']} judged */
function missesOf(judged) {
  return judged
    .filter(({ label, judgement }) =>
      label.verdict === 'loop'
        ? !judgement.inTime || judgement.falseAlarms.length > 0
        : label.verdict === 'clean' && judgement.falseAlarms.length > 0,
    )
    .map(({ label, alarms, judgement }) => ({ ...label, alarms, caught: judgement.caught !== undefined }));
}
