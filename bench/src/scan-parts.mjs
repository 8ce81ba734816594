/**
 * Where the time of judging recorded sessions goes, and whether a cheap first look could rule sessions out before the
 * whole watch reads them (see docs/decisions/0025-no-first-stage.md).
 *
 *     npm run bench:scan-parts               a made-up tree of 64 MB (see scan-material.mjs)
 *     npm run bench:scan-parts -- PATH…      logs of your own
 *
 * Times are the best of several rounds over events that are in memory already, in one process, as parts of the whole.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWatch, defineDetector } from '../../packages/core/dist/index.js';
import { balanced } from '../../packages/core/dist/presets/index.js';
import { outcomeOf, textOf } from '../../packages/core/dist/step/outcome.js';
import { likeness } from '../../packages/core/dist/value/sketch.js';
import { readSessions } from '../../packages/formats/dist/index.js';
import { writeTree } from './scan-material.mjs';

const rounds = 5;
/** Of `stale-rounds`: it compares a step with so many before it, and answers that are less alike have nothing in common. */
const compared = 24;
const leastAnswer = 0.6;

/** @typedef {import('../../packages/core/dist/index.js').AgentEvent} AgentEvent */
/** @typedef {import('../../packages/core/dist/index.js').Step} Step */

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-bench-'));
try {
  const given = process.argv.slice(2);
  if (given.length === 0) writeTree(join(folder, 'tree'), 64e6);
  const sessions = await sessionsIn(given.length > 0 ? given : [join(folder, 'tree')]);
  printTimes(sessions);
  printFirstLook(sessions);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {readonly AgentEvent[][]} sessions */
function printTimes(sessions) {
  const results = sessions.flat().flatMap((event) => (event.type === 'tool-result' ? [textOf(event.output)] : []));
  const watched = (/** @type {readonly any[]} */ detectors) => () => {
    for (const events of sessions) {
      const watch = createWatch({ detectors });
      for (const event of events) watch.observe(event);
    }
  };
  const named = (/** @type {string[]} */ ...names) => balanced().filter(({ name }) => names.includes(name));
  const ofText = ['chanting', 'low-novelty', 'monologue'];
  const ofSteps = balanced().filter(({ name }) => !ofText.includes(name));
  const parts = new Map([
    ['the whole watch', watched(balanced())],
    ['detectors of steps, and joining the steps', watched(ofSteps)],
    ['joining the steps', watched([listener(() => {})])],
    ['reading the results of calls', () => results.map((text) => outcomeOf(text).masked)],
    ['detectors of text', watched(named('chanting', 'low-novelty'))],
    ['monologue, and joining the steps', watched(named('monologue'))],
    ['a watch that looks for nothing', watched(named('opinion'))],
  ]);
  const best = new Map([...parts.keys()].map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of parts) {
      const from = process.cpuUsage();
      run();
      best.set(name, Math.min(best.get(name), process.cpuUsage(from).user));
    }
  const whole = best.get('the whole watch');
  for (const [name, time] of best) console.log(`${name.padEnd(44)} ${((100 * time) / whole).toFixed(0).padStart(4)} %`);
}

/**
 * The weakest thing without which calls give no finding: for some step, two of those before it had a like answer. A
 * first look would have to tell that without reading the answers; here they are read, which is the best it could do.
 * @param {readonly AgentEvent[][]} sessions
 */
function printFirstLook(sessions) {
  let withFindings = 0;
  let ruledOut = 0;
  for (const events of sessions) {
    const watch = createWatch({ detectors: balanced() });
    if (events.filter((event) => watch.observe(event).status !== 'clear').length > 0) withFindings++;
    /** @type {Step[]} */
    const steps = [];
    const joining = createWatch({ detectors: [listener((step) => steps.push({ ...step }))] });
    for (const event of events) joining.observe(event);
    if (!steps.some((step, k) => alikeBefore(steps, k, step) >= 2)) ruledOut++;
  }
  console.log(`${sessions.length} sessions, ${withFindings} of them with a loop or a suspicion`);
  console.log(`${ruledOut} could be ruled out by their answers alone, had these been read`);
}

/** @param {readonly Step[]} steps @param {number} k @param {Step} step */
function alikeBefore(steps, k, step) {
  return steps.slice(Math.max(0, k - compared), k).filter((one) => {
    if (step.status === 'unseen' || one.status === 'unseen') return step.status === one.status;
    if (step.outcome === one.outcome || likeness(step.said, one.said) >= leastAnswer) return true;
    return step.error !== undefined && one.error !== undefined && step.error.family === one.error.family;
  }).length;
}

/** @param {(step: Step) => void} onStep */
function listener(onStep) {
  return defineDetector({
    name: 'listener',
    reads: ['step'],
    start: () => ({}),
    observe: (_state, step) => void onStep(step),
    explain: () => '',
  });
}

/** @param {readonly string[]} paths @returns {Promise<AgentEvent[][]>} */
async function sessionsIn(paths) {
  /** @type {Map<object, AgentEvent[]>} */
  const sessions = new Map();
  const onEvent = (/** @type {AgentEvent} */ event, /** @type {object} */ session) => {
    if (!sessions.has(session)) sessions.set(session, []);
    sessions.get(session).push(event);
  };
  const walk = async (/** @type {string} */ path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) await walk(join(path, name));
    else await readSessions(path, { onEvent });
  };
  for (const path of paths) await walk(path);
  return [...sessions.values()];
}
