import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { keep, pair, shortLabel } from '../evidence.js';
import { roundsNeeded } from '../rounds.js';

export interface RepeatedCallOptions {
  /** How often a failing call may come back before it is a loop. */
  readonly times?: number;
  /** Over how many of the last calls repeats are counted. */
  readonly window?: number;
}

type Evidence = { tool: string; about: string; times: number; failed: boolean; among: number };

/** One call of the window: token, call, index of the call, of the result, era, and whether it failed. */
type Entry = { token: number; call: number; seq: number; end: number; era: number; turn: number };

interface State {
  recent: Entry[];
  /** Counts the changes the agent has made; what was seen before a change proves nothing after it. */
  era: number;
  /** Counts the user's messages: each makes one more repeat fair. */
  turn: number;
}

/** Sees the same call come back with the same outcome, other calls in between, nothing having changed meanwhile. */
export function repeatedCall({ times = 3, window = 24 }: RepeatedCallOptions = {}) {
  requireInteger('repeatedCall: times', times, 2);
  requireInteger('repeatedCall: window', window, 2);
  return defineDetector<'step' | 'prompt' | 'compaction', State, Evidence>({
    name: 'repeated-call',
    reads: ['step', 'prompt', 'compaction'],
    start: () => ({ recent: [], era: 0, turn: 0 }),
    observe(state, reading) {
      if (reading.type === 'prompt') state.turn++;
      if (reading.type === 'compaction') state.era++;
      if (reading.type !== 'step' || reading.effect === 'note' || reading.effect === 'poll') return undefined;
      if (reading.refused) {
        state.turn++;
        return undefined;
      }
      const step = reading;
      const { recent } = state;
      const token = pair(step.call, step.outcome);
      let rounds = 1;
      let first: Entry | undefined;
      let second: Entry | undefined;
      let known = false;
      for (let k = 0; k < recent.length; k++) {
        const entry = recent[k]!;
        if (entry.call === step.call) known = true;
        if (entry.token !== token || entry.era !== state.era) continue;
        if (entry.end > step.callSeq) return undefined; // a twin in the same request
        rounds++;
        if (first === undefined) first = entry;
        else second ??= entry;
      }
      if (step.mutated && !known) state.era++;
      keep(
        recent,
        { token, call: step.call, seq: step.callSeq, end: step.seq, era: state.era, turn: state.turn },
        window,
      );
      if (first === undefined || second === undefined) return undefined;
      const need = roundsNeeded(step, times) + (step.status === 'ok' ? 1 : 0) + Math.min(2, state.turn - first.turn);
      if (rounds < need) return undefined;
      return {
        kind: step.status === 'failed' ? 'repeated-failure' : 'repeated-calls',
        status: 'looping',
        onset: second.seq,
        confidence: 0.85 + Math.min(0.1, (rounds - 3) * 0.02),
        evidence: {
          tool: step.tool,
          about: shortLabel(step.label),
          times: rounds,
          failed: step.status === 'failed',
          among: recent.length - recent.indexOf(first),
        },
        tools: [step.tool],
        calls: [step.call],
      };
    },
    explain: ({ tool, about, times: rounds, failed, among }) =>
      `The call ${about === '' ? tool : `${tool} (${about})`} came back ${rounds} times among the last ${among} calls, with the same ${failed ? 'failure' : 'result'} each time, and nothing had changed in between.`,
  });
}
