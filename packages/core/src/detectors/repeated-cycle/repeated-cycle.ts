import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { messageTool, type Step } from '../../step/step.js';
import { inWords, pair, shortLabel } from '../evidence.js';
import { roundsNeeded } from '../rounds.js';

export interface RepeatedCycleOptions {
  /** How many equal rounds make a loop when their results tell; rounds that prove less need more. */
  readonly times?: number;
  /** The longest cycle looked for, in calls. */
  readonly longest?: number;
}

type Evidence = { cycle: { tool: string; about: string }[]; times: number; failed: boolean; seen: boolean };

interface State {
  /** The last `longest` calls, oldest first. */
  recent: Round[];
  /** For each period p, at [p - 1]: how many calls in a row equalled the one p before. */
  runs: number[];
  /** For each period: index of the call with which its run began. */
  starts: number[];
  /** Whether any run is more than 0. */
  running: boolean;
  /** One more round where the history was summarised. */
  forgot: number;
}

type Round = {
  token: number;
  call: number;
  seq: number;
  end: number;
  tool: string;
  about: string;
  need: number;
  /** The outcome as it stands; and whether, for a run, it differs from the last in numbers alone: they may be what it is for. */
  exact: number;
  measures: boolean;
  failed: boolean;
  seen: boolean;
};

/** Sees A A A…, A B A B…, A B C A B C…: calls that end in the same cycle, with the same outcomes, several times over. */
export function repeatedCycle({ times = 3, longest = 16 }: RepeatedCycleOptions = {}) {
  requireInteger('repeatedCycle: times', times, 2);
  requireInteger('repeatedCycle: longest', longest, 1);
  return defineDetector<'step' | 'prompt' | 'compaction', State, Evidence>({
    name: 'repeated-cycle',
    options: () => ({ times, longest }),
    reads: ['step', 'prompt', 'compaction'],
    start: () => ({
      recent: [],
      runs: new Array<number>(longest).fill(0),
      starts: new Array<number>(longest).fill(0),
      running: false,
      forgot: 0,
    }),
    observe(state, reading) {
      if (reading.type === 'compaction') state.forgot = 1; // the model lost what it knew: one more round is fair
      if (reading.type === 'prompt') {
        state.runs.fill(0); // somebody spoke: asking again is fair
        state.running = false;
        state.forgot = 0;
      }
      if (reading.type !== 'step') return undefined;
      if (reading.effect === 'note' || reading.refused || reading.tool === messageTool || isTwin(state, reading))
        return undefined;
      const period = follow(state, roundOf(reading, times, state.recent), longest);
      if (period === undefined) return undefined;
      const cycle = state.recent.slice(-period);
      const rounds = Math.floor(state.runs[period - 1]! / period) + 1;
      const seen = cycle.every((round) => round.seen);
      const failed = cycle.some((round) => round.failed);
      return {
        kind: period > 1 ? 'cycle' : failed ? 'repeated-failure' : 'repeated-calls',
        status: 'looping',
        onset: state.starts[period - 1]!,
        confidence: (seen ? 0.9 : 0.6) + Math.min(0.09, (rounds - 3) * 0.02),
        evidence: {
          cycle: cycle.map(({ tool, about }) => ({ tool, about: shortLabel(about) })),
          times: rounds,
          failed,
          seen,
        },
        tools: [...new Set(cycle.map((round) => round.tool))],
        calls: [...new Set(cycle.map((round) => round.call))],
      };
    },
    explain({ cycle, times: rounds, failed, seen }) {
      const names = cycle.map(({ tool, about }) => (about === '' ? tool : `${tool} (${about})`));
      const outcome = !seen
        ? 'without a result that we could see'
        : failed
          ? 'with the same failure each time'
          : 'with the same result each time';
      return cycle.length === 1
        ? `The call ${names[0]} was made ${rounds} times in a row, ${outcome}.`
        : `The same ${cycle.length} calls, ${inWords(names)}, went round ${rounds} times, ${outcome}.`;
    },
  });
}

/** Adds a call and gives the shortest period that has gone round often enough. O(longest). */
function follow(state: State, round: Round, longest: number): number | undefined {
  const { recent, runs, starts } = state;
  let found: number | undefined;
  let known = false;
  for (let k = 0; k < recent.length && !known; k++) known = recent[k]!.token === round.token;
  if (!known && state.running) {
    runs.fill(0);
    state.running = false;
  }
  for (let period = 1; known && period <= longest; period++) {
    const before = recent[recent.length - period];
    if (before === undefined || before.token !== round.token) {
      runs[period - 1] = 0;
      continue;
    }
    if (runs[period - 1] === 0) starts[period - 1] = round.seq;
    const run = ++runs[period - 1]!;
    state.running = true;
    if (found === undefined && run >= (needOf(recent, round, period) + state.forgot - 1) * period) found = period;
  }
  if (recent.length >= longest) recent.shift(); // first: a list that never grows keeps its place
  recent.push(round);
  return found;
}

/** A cycle needs as many rounds as the most telling of its parts asks for. */
function needOf(recent: readonly Round[], last: Round, period: number): number {
  let least = last.need;
  let most = last.need;
  let measures = last.measures;
  for (let k = recent.length - period + 1; k < recent.length; k++) {
    const { need, measures: differs } = recent[k]!;
    if (need < least) least = need;
    if (need > most) most = need;
    if (differs) measures = true;
  }
  if (most >= never) return never;
  return measures ? least + 4 : least;
}

/** More rounds than anyone will see: waiting is work, and `idle-polling` watches it. */
const never = 1_000_000;

function roundOf(step: Step, times: number, recent: readonly Round[]): Round {
  const token = pair(step.call, step.outcome);
  const { tool, call, callSeq: seq, seq: end, label } = step;
  return {
    token,
    call,
    seq,
    end,
    tool,
    about: label,
    need: step.effect === 'poll' ? never : roundsNeeded(step, times),
    exact: step.exact,
    measures: step.status === 'ok' && step.effect === 'run' && differsFrom(recent, token, step.exact),
    failed: step.status === 'failed',
    seen: step.status !== 'unseen',
  };
}

/** Whether the last round with this token stood otherwise. */
function differsFrom(recent: readonly Round[], token: number, exact: number): boolean {
  for (let k = recent.length - 1; k >= 0; k--) if (recent[k]!.token === token) return recent[k]!.exact !== exact;
  return false;
}

/** The same call twice in one request of the model: it had not seen the first result yet. */
function isTwin({ recent }: State, step: Step): boolean {
  const last = recent[recent.length - 1];
  return last !== undefined && last.call === step.call && step.callSeq < last.end;
}
