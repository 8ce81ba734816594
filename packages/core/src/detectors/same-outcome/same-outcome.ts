import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import type { Step } from '../../step/step.js';
import { similarity } from '../../value/sketch.js';
import { isKnown, keep, pair, type Ring, shortLabel, startRing } from '../evidence.js';

export interface SameOutcomeOptions {
  /** How many near-equal calls with one and the same result make a loop; calls that differ more need more. */
  readonly times?: number;
}

type Evidence = { tool: string; about: string; times: number; calls: number; empty: boolean };

/** A result that keeps coming from one tool, whatever it is asked. */
type Streak = {
  tool: string;
  outcome: number;
  shape: number;
  empty: boolean;
  rounds: number;
  weight: number;
  onset: number;
  lastSeq: number;
  calls: number[];
  sketch: number;
};

interface State {
  streaks: Streak[];
  changes: Ring;
}

/** Sees varied calls of one tool bring the same result over and over: the arguments change, the answer does not. */
export function sameOutcome({ times = 4 }: SameOutcomeOptions = {}) {
  requireInteger('sameOutcome: times', times, 2);
  return defineDetector<'step' | 'prompt' | 'compaction', State, Evidence>({
    name: 'same-outcome',
    reads: ['step', 'prompt', 'compaction'],
    start: () => ({ streaks: [], changes: startRing() }),
    observe(state, reading) {
      if (reading.type !== 'step') {
        state.streaks = [];
        return undefined;
      }
      if (reading.mutated && isNewChange(state, reading)) state.streaks = [];
      if (
        reading.status !== 'ok' ||
        reading.effect === 'note' ||
        reading.effect === 'poll' ||
        reading.effect === 'write' ||
        reading.refused
      )
        return undefined;
      const streak = streakOf(state, reading);
      if (streak === undefined || streak.calls.length < 2 || streak.weight < times) return undefined;
      return {
        kind: 'same-outcome',
        status: 'looping',
        onset: streak.onset,
        confidence: Math.min(0.95, 0.75 + 0.03 * (streak.rounds - times)),
        evidence: {
          tool: streak.tool,
          about: shortLabel(reading.label),
          times: streak.rounds,
          calls: streak.calls.length,
          empty: streak.empty,
        },
        tools: [streak.tool],
        calls: streak.calls.slice(),
      };
    },
    explain: ({ tool, about, times: rounds, empty }) =>
      `${tool} was asked in ${rounds} different ways, last ${about === '' ? 'without arguments' : `(${about})`}, and ${empty ? 'found nothing each time' : 'gave the same result each time'}.`,
  });
}

/** Results shorter than this recur by chance (a price, a yes, a weather), and somewhat longer ones say little. */
const telling = 40;
const thorough = 100;

function streakOf(state: State, step: Step): Streak | undefined {
  const empty = step.trivial || step.size < telling;
  if (empty && step.effect !== 'read') return undefined; // silence is how most programs say yes
  let streak: Streak | undefined;
  for (let k = state.streaks.length - 1; k >= 0; k--) {
    const one = state.streaks[k]!;
    if (one.tool !== step.tool) continue;
    if (streak === undefined && (one.outcome === step.exact || one.shape === step.shape)) streak = one;
    else one.weight -= 0.5;
    if (one.weight <= 0) state.streaks.splice(k, 1);
  }
  if (streak === undefined) {
    keep(
      state.streaks,
      {
        tool: step.tool,
        outcome: step.exact,
        shape: step.shape,
        empty,
        rounds: 1,
        weight: 1,
        onset: step.callSeq,
        lastSeq: step.seq,
        calls: [step.call],
        sketch: step.sketch,
      },
      6,
    );
    return undefined;
  }
  if (step.callSeq < streak.lastSeq) return undefined; // asked for before the last result was known
  const verbatim = streak.calls.includes(step.call);
  streak.weight +=
    weightOf(similarity(streak.sketch, step.sketch), verbatim, empty, step.size) * (step.sameBreath ? 0.5 : 1);
  if (streak.rounds === 1) streak.onset = step.callSeq;
  streak.rounds++;
  if (!verbatim) keep(streak.calls, step.call, 8);
  streak.lastSeq = step.seq;
  streak.sketch = step.sketch;
  return streak;
}

/** How much one more equal result adds. An empty one tells only of calls that are the same but for their dress. */
function weightOf(alike: number, verbatim: boolean, empty: boolean, size: number): number {
  if (empty) return verbatim ? 0.2 : alike >= 0.95 ? 0.5 : alike >= 0.5 ? 0.15 : 0.05;
  if (verbatim) return 0.4;
  const weight = alike >= 0.75 ? 1 : alike >= 0.5 ? 0.8 : 0.5;
  return size < thorough ? weight * 0.5 : weight;
}

function isNewChange(state: State, step: Step): boolean {
  return !isKnown(state.changes, pair(step.call, step.outcome), 16);
}
