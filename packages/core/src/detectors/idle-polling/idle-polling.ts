import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { pair, shortLabel } from '../evidence.js';

export interface IdlePollingOptions {
  /** How many polls in a row, with the same answer, make a suspicion. */
  readonly times?: number;
}

type Evidence = { tool: string; about: string; times: number };

interface State {
  token: number;
  rounds: number;
  onset: number;
}

/** Sees a long wait in which nothing changes: the same poll with the same answer, and nothing else, many times over. */
export function idlePolling({ times = 20 }: IdlePollingOptions = {}) {
  requireInteger('idlePolling: times', times, 2);
  return defineDetector<'step' | 'prompt', State, Evidence>({
    name: 'idle-polling',
    options: () => ({ times }),
    reads: ['step', 'prompt'],
    start: () => ({ token: 0, rounds: 0, onset: 0 }),
    observe(state, reading) {
      if (reading.type === 'prompt' || (reading.effect !== 'poll' && reading.effect !== 'note')) {
        state.rounds = 0;
        return undefined;
      }
      if (reading.effect === 'note') return undefined;
      const token = pair(reading.call, reading.outcome);
      if (token !== state.token || state.rounds === 0) {
        state.token = token;
        state.rounds = 1;
        return undefined;
      }
      if (state.rounds === 1) state.onset = reading.callSeq;
      state.rounds++;
      if (state.rounds < times || (state.rounds - times) % times !== 0) return undefined;
      return {
        kind: 'stall',
        status: 'suspect',
        onset: state.onset,
        confidence: 0.5,
        evidence: { tool: reading.tool, about: shortLabel(reading.label), times: state.rounds },
        tools: [reading.tool],
        calls: [reading.call],
      };
    },
    explain: ({ tool, about, times: rounds }) =>
      `${tool}${about === '' ? '' : ` (${about})`} was polled ${rounds} times in a row and gave the same answer. One blocking call that waits until it is done would save the rest.`,
  });
}
