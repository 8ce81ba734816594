import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import type { Step } from '../../step/step.js';
import { keep, pair, shortLabel } from '../evidence.js';
import { roundsNeeded } from '../rounds.js';

export interface RepeatedCallOptions {
  /** How often a failing call may come back before it is a loop. */
  readonly times?: number;
  /** Over how many of the last calls repeats are counted. */
  readonly window?: number;
}

type Evidence = { tool: string; about: string; times: number; failed: boolean; among: number };

/** One call of the window. */
type Entry = {
  token: number;
  call: number;
  seq: number;
  end: number;
  era: number;
  turn: number;
  waits: number;
  exact: number;
};

interface State {
  recent: Entry[];
  /** Counts the changes the agent has made; what was seen before a change proves nothing after it. */
  era: number;
  /** Counts the user's messages: each makes one more repeat fair. */
  turn: number;
  /** Counts the waits: a call that is made again after one is a look whether something has happened. */
  waits: number;
}

/**
 * Sees the same call come back with the same outcome, other calls in between, nothing having changed meanwhile; and the
 * same change made again and again, whatever the tool answers.
 */
export function repeatedCall({ times = 3, window = 24 }: RepeatedCallOptions = {}) {
  requireInteger('repeatedCall: times', times, 2);
  requireInteger('repeatedCall: window', window, 2);
  return defineDetector<'step' | 'prompt' | 'compaction', State, Evidence>({
    name: 'repeated-call',
    reads: ['step', 'prompt', 'compaction'],
    start: () => ({ recent: [], era: 0, turn: 0, waits: 0 }),
    observe(state, reading) {
      if (reading.type === 'compaction') state.era++;
      if (reading.type === 'prompt' || (reading.type === 'step' && reading.refused)) state.turn++;
      if (reading.type !== 'step' || reading.effect === 'note' || reading.refused) return undefined;
      if (reading.effect === 'poll') {
        state.waits++;
        return undefined;
      }
      const token = tokenOf(reading);
      const seen = lookBack(state, reading, token);
      if (seen === undefined) return undefined; // a twin in the same request
      remember(state, reading, token, seen, window);
      const { rounds, first, second } = seen;
      if (first === undefined || second === undefined || isEdit(reading)) return undefined;
      const need =
        roundsNeeded(reading, times) +
        (reading.status === 'ok' && !isOwnChange(reading) ? 1 : 0) +
        Math.min(2, state.turn - first.turn);
      if (rounds < need + (seen.measures ? 4 : 0) || seen.waited) return undefined;
      return {
        kind: reading.status === 'failed' ? 'repeated-failure' : 'repeated-calls',
        status: 'looping',
        onset: second.seq,
        confidence: 0.85 + Math.min(0.1, (rounds - 3) * 0.02),
        evidence: {
          tool: reading.tool,
          about: shortLabel(reading.label),
          times: rounds,
          failed: reading.status === 'failed',
          among: state.recent.length - state.recent.indexOf(first),
        },
        tools: [reading.tool],
        calls: [reading.call],
      };
    },
    explain: ({ tool, about, times: rounds, failed, among }) =>
      `The call ${about === '' ? tool : `${tool} (${about})`} came back ${rounds} times among the last ${among} calls, with the same ${failed ? 'failure' : 'result'} each time, and nothing had changed in between.`,
  });
}

interface Seen {
  /** How often the call has come with this outcome, this time included. */
  rounds: number;
  first: Entry | undefined;
  second: Entry | undefined;
  /** Whether the agent waited before each look. */
  waited: boolean;
  /** Whether a run differs from the one before in its numbers alone, which may be what it is for. */
  measures: boolean;
  /** Whether the call, and the call with this outcome, stand in the window at all. */
  knownCall: boolean;
  knownOutcome: boolean;
}

function lookBack(state: State, step: Step, token: number): Seen | undefined {
  const seen: Seen = {
    rounds: 1,
    first: undefined,
    second: undefined,
    waited: true,
    measures: false,
    knownCall: false,
    knownOutcome: false,
  };
  let waits = state.waits;
  for (let k = state.recent.length - 1; k >= 0; k--) {
    const entry = state.recent[k]!;
    if (entry.call === step.call) seen.knownCall = true;
    if (entry.token !== token) continue;
    seen.knownOutcome = true;
    if (entry.era !== state.era && !isOwnChange(step)) continue;
    if (entry.end > step.callSeq) return undefined;
    seen.rounds++;
    if (seen.rounds === 2) seen.measures = step.effect === 'run' && step.status === 'ok' && entry.exact !== step.exact;
    if (entry.waits === waits) seen.waited = false;
    waits = entry.waits;
    seen.second = seen.first;
    seen.first = entry;
  }
  return seen;
}

/** What succeeds in changing something, or in moving on, makes it fair to look again. */
function remember(state: State, step: Step, token: number, { knownCall, knownOutcome }: Seen, window: number): void {
  const moved = step.effect === 'act' || (step.effect === 'write' && step.shell);
  if (step.status === 'ok' && (moved ? !knownOutcome : step.mutated && !knownCall)) state.era++;
  const { era, turn, waits } = state;
  keep(
    state.recent,
    { token, call: step.call, seq: step.callSeq, end: step.seq, era, turn, waits, exact: step.exact },
    window,
  );
}

/** A change through a tool of its own is the same change whatever the tool answers: a new id, a file that has grown. */
function isOwnChange(step: Step): boolean {
  return step.mutated && !step.shell;
}

/** The same edit can only succeed again after it was undone: that is for `edit-oscillation` to judge. */
function isEdit(step: Step): boolean {
  return step.mutated && step.change !== undefined && step.change.from !== 0;
}

function tokenOf(step: Step): number {
  return pair(step.call, isOwnChange(step) ? 1 : step.outcome);
}
