import { type AgentEvent, type Detector, defineDetector, type Json } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { detectorLaws, presetLaws } from '../detector-laws.js';
import { session } from '../session.js';
import { checkBoundedState } from './bounded-state.js';
import { checkChunkInvariance } from './chunk-invariance.js';
import { checkFindings } from './findings.js';
import { checkIndifference } from './indifference.js';
import { checkIsolation } from './isolation.js';
import type { LawOptions } from './law.js';
import { checkPoison } from './poison.js';
import { checkResume } from './resume.js';
import { checkFires, checkNoAlarm, checkSilent } from './scenes.js';
import { checkTotality } from './totality.js';

/** Sees the same character forty times in a row. It keeps every law. */
const stutter = () =>
  defineDetector({
    name: 'stutter',
    reads: ['prompt', 'text'],
    start: () => ({ last: -1, run: 0, onset: 0 }),
    observe(state, event, seq) {
      if (event.type === 'prompt') {
        state.run = 0;
        return undefined;
      }
      for (let k = 0; k < event.text.length; k++) {
        const unit = event.text.charCodeAt(k);
        if (unit !== state.last) Object.assign(state, { last: unit, run: 0, onset: seq });
        if (++state.run === 40) return stuttering(state, event.text, k);
      }
      return undefined;
    },
    explain: ({ unit }) => `The character with the code ${unit} came forty times in a row.`,
  });

function stuttering(state: { last: number; run: number; onset: number }, text: string, at: number) {
  const sightings = [sightingOf(state.last, state.onset)];
  for (let k = at + 1; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    if (unit !== state.last) Object.assign(state, { last: unit, run: 0 });
    if (++state.run === 40) sightings.push(sightingOf(state.last, state.onset));
  }
  return sightings;
}

function sightingOf(unit: number, onset: number) {
  return { kind: 'chanting' as const, status: 'looping' as const, onset, confidence: 1, evidence: { unit } };
}

const dashes: LawOptions = { loops: { 'a row of dashes': session().prompt().text('-'.repeat(90)) } };

/** Sees the same call four times in a row. It keeps every law. */
const sameCall = (keyOf = (event: Call): string => sorted(event.input)) =>
  defineDetector({
    name: 'same-call',
    reads: ['tool-call'],
    start: () => ({ key: '', times: 0, onset: 0 }),
    observe(state, event, seq) {
      const key = clip(keyOf(event));
      if (key !== state.key) Object.assign(state, { key, times: 0, onset: seq });
      if (++state.times < 4) return undefined;
      const { onset, times } = state;
      return { kind: 'repeated-calls', status: 'looping', onset, confidence: 0.5, evidence: { times } };
    },
    explain: ({ times }) => `The same call was made ${times} times in a row.`,
  });

type Call = Extract<AgentEvent, { type: 'tool-call' }>;

const reads: LawOptions = {
  loops: {
    'a file read over and over': session().repeat(6, (s) => s.call('read_file', { path: 'a', limit: 2 }).result('one')),
  },
  work: { 'four files': session().repeat(4, (s, k) => s.call('read_file', { path: `${k}`, limit: 2 }).result(`${k}`)) },
};

function sorted(input: Json): string {
  return typeof input === 'object' && input !== null
    ? Object.keys(input)
        .sort()
        .map((key) => `${key}=${leaf((input as Record<string, Json>)[key])}`)
        .join()
    : leaf(input);
}

function leaf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
}

function clip(key: string): string {
  return key.slice(0, 200);
}

detectorLaws(stutter, { ...dashes, stateBytes: 100 });
detectorLaws(sameCall, { ...reads, stateBytes: 1500 });
presetLaws(() => [stutter(), sameCall()], { ...reads, name: 'two honest detectors' });

describe('a detector that breaks a law is found out', () => {
  const breaks = (
    check: (make: () => readonly Detector[], options: LawOptions) => void,
    make: () => Detector,
    options: LawOptions = reads,
  ) => expect(() => check(() => [make()], options));

  test('one that looks at whole deltas depends on how the stream is cut', () => {
    const wholeDeltas = () =>
      defineDetector({
        name: 'whole-deltas',
        reads: ['text'],
        start: () => ({}),
        observe: (_, event, seq) => (event.text.includes('-'.repeat(40)) ? sightingOf(45, seq) : undefined),
        explain: () => 'There were forty dashes in one delta.',
      });
    breaks(checkChunkInvariance, wholeDeltas, dashes).toThrow(/chunk invariance: /);
  });

  test('one that fires a delta late does not fire at the same characters', () => {
    const late = () =>
      defineDetector({
        name: 'late',
        reads: ['text'],
        start: () => ({ dashes: 0, due: false }),
        observe(state, event, seq) {
          const said = state.due ? sightingOf(45, seq) : undefined;
          state.dashes += event.text.split('-').length - 1;
          state.due = Math.floor(state.dashes / 40) > 0;
          if (state.due) state.dashes = 0;
          return said;
        },
        explain: () => 'There were forty dashes before this delta.',
      });
    breaks(checkChunkInvariance, late, dashes).toThrow(/chunk invariance: /);
  });

  test('one that counts events is moved by other cuts and by foreign events', () => {
    const everyTenth = () =>
      defineDetector({
        name: 'every-tenth',
        reads: ['tool-call', 'text'],
        start: () => ({}),
        observe: (_, __, seq) => (seq % 10 === 9 ? { ...sightingOf(0, seq), tools: [] } : undefined),
        explain: () => 'Ten events have gone by.',
      });
    breaks(checkChunkInvariance, everyTenth).toThrow(/chunk invariance: /);
    breaks(checkIndifference, everyTenth).toThrow(/events that it does not read/);
    breaks(checkIsolation, everyTenth).toThrow(/isolation: two lanes/);
  });

  test('one that keeps everything outgrows its bound', () => {
    const hoarder = () =>
      defineDetector({
        name: 'hoarder',
        reads: ['tool-call'],
        start: () => ({ seen: [] as string[] }),
        observe(state, event) {
          state.seen.push(event.tool);
          return undefined;
        },
        explain: () => 'It never says anything.',
      });
    breaks(checkBoundedState, hoarder).toThrow(/state of hoarder has \d+ characters, over 65536/);
  });

  test('one that keeps its state in a closure mixes up sessions and forgets itself in snapshots', () => {
    const closure = () => {
      let calls = 0;
      return defineDetector({
        name: 'closure',
        reads: ['tool-call'],
        start: () => ({}),
        observe: (_, __, seq) => (++calls % 5 === 0 ? sightingOf(calls, seq) : undefined),
        explain: () => 'Five calls were made.',
      });
    };
    breaks(checkIsolation, closure).toThrow(/isolation: two sessions/);
    breaks(checkResume, closure).toThrow(/changed the future/);
  });

  test('one whose state is no JSON does not survive a snapshot', () => {
    const withInfinity = () =>
      defineDetector({
        name: 'with-infinity',
        reads: ['tool-call'],
        start: () => ({ last: Number.POSITIVE_INFINITY, times: 0 }),
        observe(state, event, seq) {
          state.times = event.tool.length === state.last ? state.times + 1 : 0;
          state.last = event.tool.length;
          return state.times > 2 ? sightingOf(state.times, seq) : undefined;
        },
        explain: () => 'Names of the same length came in a row.',
      });
    breaks(checkResume, withInfinity).toThrow(/resume: /);
  });

  test('one that throws is reported as a fault', () => {
    const touchy = () =>
      defineDetector({
        name: 'touchy',
        reads: ['tool-call'],
        start: () => ({}),
        observe: (_, event) => (JSON.stringify(event.input) === '' ? sightingOf(0, 0) : undefined),
        explain: () => 'It never says anything.',
      });
    breaks(checkTotality, touchy, { ...reads, runs: 1000 }).toThrow(/a well-formed event caused a fault/);
  });

  test('one that looks at call ids, or at the order of keys, is not indifferent', () => {
    breaks(checkIndifference, () => sameCall((event) => `${event.tool}${event.id.slice(0, 2)}`)).toThrow(
      /call ids or the order of keys/,
    );
    const keyOrder = () =>
      sameCall((event) => (Object.keys(Object(event.input))[0] === 'path' ? 'path' : sorted(event.input)));
    breaks(checkIndifference, keyOrder).toThrow(/call ids or the order of keys/);
  });

  test('one that returns its live state as evidence changes the past', () => {
    const live = () =>
      defineDetector({
        name: 'live',
        reads: ['tool-call'],
        start: () => ({ times: 0 }),
        observe(state, _, seq) {
          state.times++;
          return { ...sightingOf(0, seq), evidence: state };
        },
        explain: ({ times }) => `There were ${times} calls so far.`,
      });
    breaks(checkFindings, live).toThrow(/changed after it was given/);
  });

  test('one that gives facts out of range, or leaves holes in its prose, is found out', () => {
    const saying = (confidence: number, onset: number, prose: string) => () =>
      defineDetector({
        name: 'saying',
        reads: ['tool-call'],
        start: () => ({}),
        observe: () => ({ ...sightingOf(0, onset), confidence }),
        explain: () => prose,
      });
    breaks(checkFindings, saying(7, 0, 'There was one call.')).toThrow(/confidence 7/);
    breaks(checkFindings, saying(1, 1e6, 'There was one call.')).toThrow(/onset 1000000/);
    breaks(checkFindings, saying(1, 0, '')).toThrow(/less than a sentence/);
    breaks(checkFindings, saying(1, 0, 'There were undefined calls.')).toThrow(/"undefined" in it/);
  });

  test('one that cannot forget what a broken snapshot did to it is found out', () => {
    const scarred = () => {
      let scar = false;
      const inner = sameCall();
      return {
        ...inner,
        load: (saved: Json) => {
          scar ||= typeof (saved as { times?: unknown } | null)?.times !== 'number';
          return inner.load(saved);
        },
        observe: (...args: Parameters<Detector['observe']>) => (scar ? undefined : inner.observe(...args)),
      };
    };
    breaks(checkPoison, scarred, { ...reads, runs: 200 }).toThrow(/after forgetting/);
  });

  test('one that never fires proves nothing by keeping the laws', () => {
    const silent = () => ({ ...sameCall(), observe: () => undefined });
    for (const check of [checkChunkInvariance, checkResume, checkIsolation, checkIndifference, checkFindings])
      breaks(check, silent).toThrow(/no finding occurred in 40 sessions/);
  });

  test('one that is silent on a loop, or fires on work, is found out', () => {
    const { events: loop } = session().repeat(3, (s) => s.call('read_file', { path: 'a' }).result('one'));
    expect(() => checkFires(() => [sameCall()], loop)).toThrow(/no finding in 6 events that are a loop/);
    const { events: work } = session().repeat(4, (s, k) => s.call('run', { test: 'a' }).result(`${k}`));
    expect(() => checkSilent(() => [sameCall()], work)).toThrow(
      /same-call took work for a loop at event 6 of 8: The same call was made 4 times/,
    );
    expect(() => checkNoAlarm(() => [sameCall()], work)).toThrow(/took work for a loop/);
  });
});
