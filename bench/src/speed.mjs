/**
 * How fast the whole `balanced` preset is beside the detectors of Gemini CLI and Qwen Code, in one run, as ratios: how
 * long a run takes depends on the machine, a ratio hardly does. `--json` prints the ratios alone.
 */
import { createGuard, createWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { prose, readCalls, writeCalls } from './speed-material.mjs';

const json = process.argv.includes('--json');
const rounds = 9;

const { LoopDetectionService: Gemini } = await import('gemini-cli-core-head/dist/src/services/loopDetectionService.js');
const { LoopDetectionService: Qwen } = await import(
  '@qwen-code/qwen-code-core/dist/src/services/loopDetectionService.js'
);

const detectors = balanced();
const text = prose(200_000);
const deltas = cut(text, 20);
// The originals need seconds for what takes us milliseconds, so they get a part of it: 20,000 characters.
const someDeltas = deltas.slice(0, 1000);
const small = readCalls(2000);
const big = writeCalls(200, 20_000);

const content = race({
  loop: () => perUnit(text.length, () => charLoop(deltas)),
  ours: () => perUnit(text.length, () => watchText(deltas)),
  gemini: () => perUnit(someDeltas.length * 20, () => checkText(geminiService(), someDeltas)),
  qwen: () => perUnit(someDeltas.length * 20, () => checkText(qwenService(), someDeltas)),
});
const calls = race({
  ours: () => perUnit(small.length, () => watchCallsAlone(small)),
  withResults: () => perUnit(small.length, () => watchCalls(small)),
  gemini: () => perUnit(small.length, () => checkCalls(geminiService(), small)),
});
const bigCalls = race({
  ours: () => perUnit(big.length, () => watchCalls(big)),
  gemini: () => perUnit(big.length, () => checkCalls(geminiService(), big)),
});

const result = {
  contentVsGemini: content.ratio('gemini', 'ours'),
  contentVsQwen: content.ratio('qwen', 'ours'),
  callsVsGemini: calls.ratio('gemini', 'ours'),
  callsWithResultsVsGemini: calls.ratio('gemini', 'withResults'),
  bigCallsVsGemini: bigCalls.ratio('gemini', 'ours'),
  vsCharLoop: content.ratio('loop', 'ours'),
  bytesPerSession: bytesPerSession(false),
  bytesPerSpeakingSession: bytesPerSession(true),
  snapshotBytes: JSON.stringify(usedSession().snapshot()).length,
};

if (json)
  console.log(
    JSON.stringify(result, (_key, value) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value)),
  );
else {
  const row = (/** @type {string} */ name, /** @type {string} */ value) =>
    console.log(`${name.padEnd(46)} ${value.padStart(14)}`);
  row('balanced, prose in 20-character deltas', `${content.best('ours').toFixed(1)} ns/char`);
  row('  bare charCodeAt loop', `${content.best('loop').toFixed(2)} ns/char`);
  row('  times as fast as Gemini CLI 0.61.0', result.contentVsGemini.toFixed(0));
  row('  times as fast as Qwen core 0.0.14', result.contentVsQwen.toFixed(0));
  row('  share of the speed of the bare loop', `${(result.vsCharLoop * 100).toFixed(1)} %`);
  row('balanced, small calls', `${(calls.best('ours') / 1000).toFixed(2)} µs/call`);
  row('  times as fast as Gemini CLI, the same events', result.callsVsGemini.toFixed(2));
  row('  and with the results, which it does not read', result.callsWithResultsVsGemini.toFixed(2));
  row('balanced, calls with 20 kB of arguments', `${(bigCalls.best('ours') / 1000).toFixed(1)} µs/call`);
  row('  times as fast as Gemini CLI (calls alone)', result.bigCallsVsGemini.toFixed(2));
  row('heap per live session of 10,000', `${(result.bytesPerSession / 1024).toFixed(1)} kB`);
  row('  while its model speaks', `${(result.bytesPerSpeakingSession / 1024).toFixed(1)} kB`);
  row('JSON of a snapshot', `${(result.snapshotBytes / 1024).toFixed(1)} kB`);
}

/**
 * Runs the contestants in turns. The best time of each counts, in nanoseconds per unit; and a ratio is the median of the
 * ratios of the rounds, for what else the machine does changes from one round to the next and hardly within one.
 * @template {string} Name
 * @param {Record<Name, () => number>} contestants
 */
function race(contestants) {
  /** @type {Record<string, number>[]} */
  const times = [];
  for (let round = 0; round <= rounds; round++) {
    /** @type {Record<string, number>} */
    const best = {};
    for (const [name, run] of Object.entries(contestants)) {
      best[name] = Number.POSITIVE_INFINITY;
      for (let spent = 0; spent < 200e6; ) {
        const start = process.hrtime.bigint();
        best[name] = Math.min(best[name], /** @type {() => number} */ (run)());
        spent += Number(process.hrtime.bigint() - start);
      }
    }
    if (round > 0) times.push(best); // round 0 warms up
  }
  return {
    best: (/** @type {Name} */ name) => Math.min(...times.map((time) => /** @type {number} */ (time[name]))),
    ratio(/** @type {Name} */ slow, /** @type {Name} */ fast) {
      const ratios = times.map((time) => /** @type {number} */ (time[slow]) / /** @type {number} */ (time[fast]));
      return /** @type {number} */ (ratios.sort((a, b) => a - b)[ratios.length >> 1]);
    },
  };
}

function perUnit(/** @type {number} */ units, /** @type {() => unknown} */ work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / units;
}

function charLoop(/** @type {readonly string[]} */ pieces) {
  let sum = 0;
  for (const piece of pieces) for (let i = 0; i < piece.length; i++) sum = (sum + piece.charCodeAt(i)) | 0;
  return sum;
}

function watchText(/** @type {readonly string[]} */ pieces) {
  const watch = createWatch({ detectors });
  for (const piece of pieces) watch.observe({ type: 'text', text: piece });
}

function checkText(/** @type {any} */ service, /** @type {readonly string[]} */ pieces) {
  for (const piece of pieces) service.addAndCheck({ type: 'content', value: piece });
}

/** @typedef {import('./speed-material.mjs').Call} Call */

function watchCalls(/** @type {readonly Call[]} */ list) {
  const watch = createWatch({ detectors });
  for (const { id, tool, input, output } of list) {
    watch.observe({ type: 'tool-call', id, tool, input });
    watch.observe({ type: 'tool-result', id, output });
  }
}

/** What the originals are shown: they do not look at results. */
function watchCallsAlone(/** @type {readonly Call[]} */ list) {
  const watch = createWatch({ detectors });
  for (const { id, tool, input } of list) {
    watch.observe({ type: 'turn-start' });
    watch.observe({ type: 'tool-call', id, tool, input });
  }
}

function checkCalls(/** @type {any} */ service, /** @type {readonly Call[]} */ list) {
  for (const { id, tool, input } of list)
    service.addAndCheck({ type: 'tool_call_request', value: { callId: id, name: tool, args: input } });
}

function geminiService() {
  const service = new Gemini({
    config: { getDisableLoopDetection: () => false },
    getDisableLoopDetection: () => false,
    getUsageStatisticsEnabled: () => false,
    getDebugMode: () => false,
    getTelemetryEnabled: () => false,
  });
  service.reset('prompt');
  return service;
}

function qwenService() {
  const service = new Qwen({
    getUsageStatisticsEnabled: () => false,
    getDebugMode: () => false,
    getSkipLoopDetection: () => false,
  });
  service.reset('prompt');
  return service;
}

/** A guard after 50,000 characters and 100 calls; or in the middle of a message after them. */
function usedSession(speaking = false) {
  const guard = createGuard({ detectors });
  let at = 0;
  const speak = () => {
    for (let k = 0; k < 25; k++)
      guard.observe({ type: 'text', text: /** @type {string} */ (deltas[at++ % deltas.length]) });
  };
  small.slice(0, 100).forEach(({ id, tool, input, output }) => {
    speak();
    guard.observe({ type: 'tool-call', id, tool, input });
    guard.observe({ type: 'tool-result', id, output });
  });
  if (speaking) speak();
  return guard;
}

function bytesPerSession(/** @type {boolean} */ speaking) {
  const collect = /** @type {undefined | (() => void)} */ (/** @type {any} */ (globalThis).gc);
  if (!collect) throw new Error('speed: run with node --expose-gc, as npm run bench:speed does');
  const live = [];
  const used = () => {
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + Math.max(external, arrayBuffers);
  };
  live.push(usedSession(speaking));
  const before = used();
  for (let k = 0; k < 10_000; k++) live.push(usedSession(speaking));
  return Math.round((used() - before) / (live.length - 1));
}

function cut(/** @type {string} */ whole, /** @type {number} */ length) {
  const pieces = [];
  for (let i = 0; i < whole.length; i += length) pieces.push(whole.slice(i, i + length));
  return pieces;
}
