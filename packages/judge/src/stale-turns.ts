import { type Detector, defineDetector, type Step } from 'loopfuse';
import { requireInteger } from './options.js';

export interface StaleTurnsOptions {
  /** How many turns in a row without anything new are a suspicion; a turn that only waited counts half. */
  readonly turns?: number;
}

type Evidence = { turns: number };

interface State {
  /** The latest outcomes: results, errors, changes, and notes. */
  known: number[];
  /** What the turn under way has brought so far. */
  brought: 'nothing' | 'waiting' | 'unknown' | 'something';
  /** Whether a turn is under way. */
  begun: boolean;
  /** How many turns brought nothing new; those that only waited count half. */
  stale: number;
  onset: number;
  /** The event with which the turn under way began. */
  turn: number;
}

const mostKnown = 64;
const waited = 0.5;

/**
 * Suspects a stall by turns: several requests to the model in a row that brought nothing new. Unlike `stale-rounds`,
 * which counts calls, it also counts turns without any call, and it suspects much sooner: it only makes a judge look
 * and is not reported anywhere else. Waiting is work, but it counts half, because nothing else checks whether the wait
 * can ever end.
 */
export function staleTurns({ turns = 4 }: StaleTurnsOptions = {}): Detector {
  requireInteger('staleTurns: turns', turns, 1);
  return defineDetector<'step' | 'prompt' | 'turn-start', State, Evidence>({
    name: 'stale-turns',
    reads: ['step', 'prompt', 'turn-start'],
    start: () => ({ known: [], brought: 'nothing', begun: false, stale: 0, onset: 0, turn: 0 }),
    observe(state, reading, seq) {
      if (reading.type === 'step') {
        const brings = weigh(state, reading);
        if (brings === 'something' || state.brought === 'nothing') state.brought = brings;
        return undefined;
      }
      const { begun, brought, turn } = state;
      state.begun = reading.type === 'turn-start';
      state.brought = 'nothing';
      state.turn = seq;
      if (reading.type === 'prompt' || brought === 'something') state.stale = 0;
      if (reading.type === 'prompt' || !begun || brought === 'something' || brought === 'unknown') return undefined;
      if (state.stale === 0) state.onset = turn;
      state.stale += brought === 'nothing' ? 1 : waited;
      if (state.stale < turns) return undefined;
      return {
        kind: 'stall',
        status: 'suspect',
        onset: state.onset,
        confidence: 0.3,
        evidence: { turns: Math.floor(state.stale) },
      };
    },
    explain: ({ turns: stale }) => `The last ${stale} turns brought nothing new.`,
  });
}

function weigh({ known }: State, step: Step): State['brought'] {
  const { effect, refused, status, error, mutated, call, outcome, trivial } = step;
  if (status === 'unseen') return 'unknown';
  if (effect === 'poll' || refused) return 'waiting';
  const note = effect === 'note';
  const brought = error ? error.line : mutated || note ? call : outcome;
  const isNew = !known.includes(brought);
  known.push(brought);
  if (known.length > mostKnown) known.shift();
  if (!isNew) return 'nothing';
  // A new plan is neither progress nor a stall; a trivial result such as "ok" is nothing new, unless it was a change.
  if (note) return 'unknown';
  return trivial && !mutated ? 'nothing' : 'something';
}
