import { defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { type Step, targetOf } from '../../step/step.js';
import { keep, shortLabel } from '../evidence.js';

export interface EditOscillationOptions {
  /** How often the same change must be made, after having been undone, to be a loop. */
  readonly times?: number;
  /** Over how many of the last changes. */
  readonly window?: number;
}

type Evidence = { tool: string; about: string; times: number; undone: 'by edits' | 'otherwise' };

/** A change that took effect: what it was about, from what to what, its call, and the index of its call. */
type Made = { target: string; from: number; to: number; call: number; seq: number; learnt: number };

interface State {
  made: Made[];
  /** Results of runs of late, and how many of them were new: whoever learns between two changes is measuring. */
  results: number[];
  learnt: number;
}

/** Sees a file going there and back: the same change made, undone and made again. */
export function editOscillation({ times = 3, window = 40 }: EditOscillationOptions = {}) {
  requireInteger('editOscillation: times', times, 2);
  requireInteger('editOscillation: window', window, 2);
  return defineDetector<'step' | 'prompt', State, Evidence>({
    name: 'edit-oscillation',
    options: () => ({ times, window }),
    reads: ['step', 'prompt'],
    start: () => ({ made: [], results: [], learnt: 0 }),
    observe(state, reading) {
      if (reading.type === 'prompt') {
        state.made = []; // going back and forth at the user's word is work
        return undefined;
      }
      if (reading.effect === 'run' && reading.status !== 'unseen' && !state.results.includes(reading.exact)) {
        keep(state.results, reading.exact, 16);
        state.learnt++;
      }
      if (!reading.mutated || reading.change === undefined) return undefined;
      const { change, call, callSeq: seq } = reading;
      const target = targetOf(reading);
      const made: Made = { target, from: change.from, to: change.to, call, seq, learnt: state.learnt };
      const same = state.made.filter((one) => one.target === target && one.from === made.from && one.to === made.to);
      const undoing = state.made.filter((one) => one.target === target && undoes(one, made));
      keep(state.made, made, window);
      const byEdits = same.length >= 1 && undoing.length >= 1 && made.from !== made.to;
      const rounds = same.length + 1;
      const measured = same.length > 0 && same[0]!.learnt + same.length <= made.learnt;
      if (rounds < times + (measured ? 3 : 0) || !(byEdits || made.from !== 0)) return undefined;
      return sighting(reading, same, rounds, byEdits);
    },
    explain: ({ tool, about, times: rounds, undone }) =>
      `The same change of ${about === '' ? 'the same thing' : about} was made ${rounds} times with ${tool}, and undone ${undone} in between.`,
  });
}

/** One change takes back another: the edit the other way round, or another whole text written over it. */
function undoes(one: Made, other: Made): boolean {
  return other.from === 0 ? one.from === 0 && one.to !== other.to : one.from === other.to && one.to === other.from;
}

function sighting(step: Step, same: readonly Made[], rounds: number, byEdits: boolean) {
  return {
    kind: 'oscillation',
    status: 'looping',
    onset: same[1]?.seq ?? same[0]!.seq,
    confidence: Math.min(0.95, 0.8 + 0.05 * (rounds - 3)),
    evidence: {
      tool: step.tool,
      about: shortLabel(step.label),
      times: rounds,
      undone: byEdits ? 'by edits' : 'otherwise',
    },
    tools: [step.tool],
    calls: [step.call],
  } as const;
}
