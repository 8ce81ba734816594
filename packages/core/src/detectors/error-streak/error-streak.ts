import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { type Step, targetOf } from '../../step/step.js';
import { similarity } from '../../value/sketch.js';
import { isKnown, keep, pair, type Ring, shortLabel, startRing } from '../evidence.js';

export interface ErrorStreakOptions {
  /** How many rounds of the same error from near-equal calls make a loop; calls that differ more need more. */
  readonly times?: number;
  /** How many error families are followed at once. */
  readonly families?: number;
}

type Evidence = { tool: string; error: string; times: number; verbatim: number; about: string };

/** An error that keeps coming from one tool. */
type Streak = {
  tool: string;
  line: number;
  family: number;
  core: string;
  /** Rounds so far, and what they weigh: a verbatim repeat weighs most. */
  rounds: number;
  verbatim: number;
  weight: number;
  /** Index of the second call of the streak: the first repeat. */
  onset: number;
  lastSeq: number;
  /** Steps since the last round. */
  idle: number;
  turn: number;
  calls: number[];
  sketch: number;
  target: string;
  /** The last result, masked. */
  outcome: number;
};

interface State {
  streaks: Streak[];
  /** Outcomes of late: a success that was seen before is no news. */
  outcomes: Ring;
  turn: number;
}

/** Sees the same error come of calls whose arguments vary without getting at its cause. */
export function errorStreak({ times = 3, families = 8 }: ErrorStreakOptions = {}) {
  requireInteger('errorStreak: times', times, 2);
  requireInteger('errorStreak: families', families, 1);
  return defineDetector<'step' | 'prompt', State, Evidence>({
    name: 'error-streak',
    reads: ['step', 'prompt'],
    start: () => ({ streaks: [], outcomes: startRing(), turn: 0 }),
    observe(state, reading) {
      if (reading.type === 'prompt') {
        state.turn++;
        return undefined;
      }
      if (reading.effect === 'note') return undefined;
      if (reading.refused) {
        state.turn++;
        return undefined;
      }
      const { error } = reading;
      if (error === undefined) {
        settle(state, reading);
        return undefined;
      }
      for (const streak of state.streaks) streak.idle++;
      const streak = streakOf(state, reading, families);
      if (streak === undefined) return undefined;
      const need =
        (reading.times ?? times) +
        (error.infrastructure ? 5 : error.bare ? 1 : 0) +
        Math.min(1, state.turn - streak.turn);
      if (streak.weight < need) return undefined;
      return {
        kind: 'repeated-failure',
        status: 'looping',
        onset: streak.onset,
        confidence: Math.min(0.97, 0.8 + 0.03 * (streak.rounds - 3)),
        evidence: {
          tool: streak.tool,
          error: streak.core,
          times: streak.rounds,
          verbatim: streak.verbatim,
          about: shortLabel(reading.label),
        },
        tools: [streak.tool],
        calls: streak.calls.slice(),
      };
    },
    explain({ tool, error, times: rounds, verbatim }) {
      const how =
        verbatim === 0
          ? 'each call a little different'
          : verbatim === rounds - 1
            ? 'the same call each time'
            : 'some calls the same, some a little different';
      return `${tool} has failed ${rounds} times with the same error, “${error}”, ${how}.`;
    },
  });
}

/** A success ends the streaks it bears on: the same tool on the same thing, or a change that took effect. */
function settle(state: State, step: Step): void {
  if (step.status === 'unseen') return;
  const token = pair(step.call, step.outcome);
  const known = isKnown(state.outcomes, token, 16);
  if (state.streaks.length === 0) return;
  const target = targetOf(step);
  state.streaks = state.streaks.filter((streak) => {
    streak.idle++;
    if (step.mutated && !known) return false;
    // Looking at the thing that fails is how one gets at the cause; looking elsewhere may be.
    if (known) return streak.idle <= longestPause;
    streak.weight -= streak.target === target ? 1 : streak.tool === step.tool ? 0.6 : streak.idle === 1 ? 0.25 : 0;
    return streak.idle <= longestPause && streak.weight > 0;
  });
}

/** How much a failure adds when its call is not one of those before: the more alike, the more. */
function weightOf(alike: number): number {
  return alike >= 0.75 ? 0.9 : alike >= 0.5 ? 0.7 : 0.4;
}

/** So many other calls, and the error counts as forgotten. */
const longestPause = 12;

/** Files a failure under its streak; undefined when it opens one. */
function streakOf(state: State, step: Step, families: number): Streak | undefined {
  const { line, family, core } = step.error!;
  const streak =
    state.streaks.find((one) => one.tool === step.tool && one.line === line) ??
    state.streaks.find((one) => one.tool === step.tool && one.family === family);
  if (streak === undefined) {
    keep(
      state.streaks,
      {
        tool: step.tool,
        line,
        family,
        core,
        rounds: 1,
        verbatim: 0,
        weight: 1,
        onset: step.callSeq,
        lastSeq: step.seq,
        idle: 0,
        turn: state.turn,
        calls: [step.call],
        sketch: step.sketch,
        target: targetOf(step),
        outcome: step.outcome,
      },
      families,
    );
    return undefined;
  }
  if (step.callSeq < streak.lastSeq) return undefined; // asked for before the last failure was known
  const verbatim = streak.calls.includes(step.call);
  const alike = similarity(streak.sketch, step.sketch);
  const sameLine = streak.line === line;
  // The same call with other words around its error is looking at something that moves.
  const settled = verbatim && (streak.outcome === step.outcome || (sameLine && step.size < 400));
  streak.weight += settled
    ? 1.1
    : weightOf(alike) * (sameLine ? 1 : 0.6) * (step.error!.bare || step.sameBreath ? 0.5 : 1);
  if (streak.rounds === 1) streak.onset = step.callSeq;
  streak.rounds++;
  if (verbatim) streak.verbatim++;
  else keep(streak.calls, step.call, 8);
  streak.lastSeq = step.seq;
  streak.idle = 0;
  streak.sketch = step.sketch;
  streak.target = targetOf(step);
  streak.outcome = step.outcome;
  return streak;
}
