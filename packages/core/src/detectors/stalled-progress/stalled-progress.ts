import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { isKnown, type Ring, startRing } from '../evidence.js';

export interface StalledProgressOptions {
  /** How many calls in a row may bring nothing new before it is a suspicion. */
  readonly calls?: number;
}

type Evidence = { calls: number; failed: number };

interface State {
  /** Outcomes of late, successes and errors alike. */
  known: Ring;
  idle: number;
  failed: number;
  onset: number;
}

const remembered = 48;

/** Suspects a stall: many calls in a row of which none brought a new result, a new error or a change. */
export function stalledProgress({ calls = 8 }: StalledProgressOptions = {}) {
  requireInteger('stalledProgress: calls', calls, 2);
  return defineDetector<'step' | 'prompt', State, Evidence>({
    name: 'stalled-progress',
    reads: ['step', 'prompt'],
    start: () => ({ known: startRing(), idle: 0, failed: 0, onset: 0 }),
    observe(state, reading) {
      if (reading.type === 'prompt') {
        state.idle = 0;
        state.failed = 0;
        return undefined;
      }
      if (reading.effect === 'note' || reading.effect === 'poll' || reading.refused || reading.status === 'unseen')
        return undefined;
      const outcome = reading.error ? reading.error.line : reading.mutated ? reading.call : reading.outcome;
      const known = isKnown(state.known, outcome, remembered);
      const isNew = !known && !(reading.trivial && !reading.mutated);
      if (isNew) {
        state.idle = 0;
        state.failed = 0;
        return undefined;
      }
      if (state.idle === 0) state.onset = reading.callSeq;
      state.idle++;
      if (reading.error) state.failed++;
      if (state.idle % calls !== 0) return undefined;
      return {
        kind: 'stall',
        status: 'suspect',
        onset: state.onset,
        confidence: 0.5,
        evidence: { calls: state.idle, failed: state.failed },
        tools: [reading.tool],
      };
    },
    explain: ({ calls: idle, failed }) =>
      `The last ${idle} calls brought nothing new${failed === 0 ? '' : `; ${failed === idle ? 'all' : failed} of them failed in ways seen before`}.`,
  });
}
