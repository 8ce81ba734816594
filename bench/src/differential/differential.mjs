import { parseArgs } from 'node:util';
import { compare } from './compare.mjs';
import { originals } from './originals.mjs';
import { createRandom, seedOf } from './random.mjs';
import { shrink } from './shrink.mjs';
import { makeStream, subjects } from './streams.mjs';

/**
 * Feeds the installed originals and our presets the same generated streams. They must agree at every event.
 *
 * @typedef {import('./originals.mjs').Original} Original
 * @typedef {import('./streams.mjs').Operation} Operation
 * @typedef {{ streams: number, fired: number }} Share
 */

const usage = `usage: differential [options]
  --streams N    streams for each original (default 20000)
  --seed S       another set of streams (default 1)
  --only K       play only stream K of the set
  --original X   only one of ${originals.map(({ name }) => name).join(', ')}`;

/** Less than this, and agreement would say little. */
const leastShare = 0.3;

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    original: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else await run();

async function run() {
  const seed = wholeNumber('--seed', values.seed);
  const first = values.only === undefined ? 0 : wholeNumber('--only', values.only);
  const streams = values.only === undefined ? wholeNumber('--streams', values.streams) : 1;
  const chosen = originals.filter(({ name }) => values.original === undefined || values.original === name);
  if (chosen.length === 0) fail(`--original ${values.original} is not known`);
  quieten();
  for (const original of chosen) if (!(await runOriginal(original, seed, first, streams))) process.exitCode = 1;
}

/** @returns {Promise<boolean>} whether all went well */
async function runOriginal(
  /** @type {Original} */ { name, version, window, load },
  /** @type {number} */ seed,
  /** @type {number} */ first,
  /** @type {number} */ streams,
) {
  const loaded = { name, make: await load() };
  /** @type {Map<string, Share>} */
  const shares = new Map();
  let verdicts = 0;
  const began = performance.now();
  for (let k = first; k < first + streams; k++) {
    const { subject, operations } = makeStream(createRandom(seedOf(seed, k)), window);
    const outcome = await compare(loaded, operations);
    if (outcome.disagreement) {
      console.error(`${version}: disagreement in stream ${k} of seed ${seed}, about ${subject}`);
      const smallest = await shrink(
        operations,
        async (fewer) => (await compare(loaded, fewer)).disagreement !== undefined,
      );
      report(
        smallest,
        /** @type {import('./compare.mjs').Disagreement} */ ((await compare(loaded, smallest)).disagreement),
      );
      return false;
    }
    const { streams: all, fired } = shares.get(subject) ?? { streams: 0, fired: 0 };
    const type = subjects[subject];
    const found = type === null ? outcome.fired.size > 0 : outcome.fired.has(type);
    shares.set(subject, { streams: all + 1, fired: found ? fired + 1 : fired });
    verdicts += outcome.verdicts;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(`${version} and preset ${name}: seed ${seed}, ${streams} streams, ${verdicts} verdicts, no disagreement`);
  console.log(`  ${seconds.toFixed(1)} s, ${Math.round(streams / seconds)} streams/s`);
  for (const [subject, { streams: all, fired }] of shares) {
    const type = subjects[/** @type {import('./streams.mjs').Subject} */ (subject)] ?? 'a loop of any type';
    console.log(`  about ${subject}: ${all} streams, ${percent(fired / all)} with ${type}`);
  }
  return streams < 1000 || telling(shares);
}

function telling(/** @type {Map<string, Share>} */ shares) {
  for (const [subject, { streams, fired }] of shares) {
    if (fired >= streams * leastShare) continue;
    console.error(`too few streams about ${subject} have a loop: agreement would prove little`);
    return false;
  }
  return true;
}

function report(
  /** @type {readonly Operation[]} */ stream,
  /** @type {import('./compare.mjs').Disagreement} */ { at, who, theirs, ours },
) {
  for (const [k, operation] of stream.entries()) console.error(`${k === at ? '→' : ' '} ${JSON.stringify(operation)}`);
  console.error(`${who}: theirs says ${theirs}, ours says ${ours}`);
}

/** The originals tell the console of errors and analyses; there are thousands. */
function quieten() {
  console.debug = () => {};
  console.warn = () => {};
}

function percent(/** @type {number} */ share) {
  return `${(share * 100).toFixed(1)} %`;
}

function wholeNumber(/** @type {string} */ name, /** @type {string} */ value) {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : fail(`${name} must be a whole number, got "${value}"`);
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}
