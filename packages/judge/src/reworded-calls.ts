import { type Detector, defineDetector, likeness, type Sketch, type Step } from 'loopfuse';
import { requireNumber } from './options.js';

export interface RewordedCallsOptions {
  /** How much must have been asked before in other words: the sum of the likenesses of the calls. */
  readonly enough?: number;
}

type Evidence = { tool: string; about: string; times: number };

interface Asked {
  readonly tool: string;
  readonly skeleton: number;
  readonly sketch: Sketch;
  readonly seq: number;
}

interface State {
  /** The latest questions. */
  asked: Asked[];
}

const mostAsked = 10;
/** Calls with less in common are unrelated. */
const leastAlike = 0.2;
/** A question with fewer words than this may resemble others by chance. */
const fewestWords = 5;

/**
 * Suspects a question that is asked again and again in other words: a search, a delegation, a query. Words alone do not
 * distinguish this from good work, in which questions are alike too; so this only makes a judge look, and is not
 * reported anywhere else. A call that names a file, a page or a command is not a question in words, and calls that
 * differ only in numbers are left to `stale-rounds`.
 */
export function rewordedCalls({ enough = 1.4 }: RewordedCallsOptions = {}): Detector {
  requireNumber('rewordedCalls: enough', enough, 0.1, mostAsked);
  return defineDetector<'step' | 'prompt', State, Evidence>({
    name: 'reworded-calls',
    reads: ['step', 'prompt'],
    start: () => ({ asked: [] }),
    observe(state, reading) {
      if (reading.type === 'prompt') {
        state.asked = [];
        return undefined;
      }
      if (!isQuestion(reading)) return undefined;
      const { tool, skeleton, sketch, callSeq: seq } = reading;
      const alike = state.asked.filter((one) => isReworded(one, reading));
      const sum = alike.reduce((all, one) => all + likeness(one.sketch, sketch), 0);
      state.asked.push({ tool, skeleton, sketch, seq });
      if (state.asked.length > mostAsked) state.asked.shift();
      if (sum < enough) return undefined;
      return {
        kind: 'stall',
        status: 'suspect',
        onset: alike[1]?.seq ?? seq,
        confidence: 0.3,
        evidence: { tool, about: reading.label, times: alike.length + 1 },
      };
    },
    explain: ({ tool, about, times }) => `${tool} was asked ${times} times for nearly the same, last: ${about}`,
  });
}

function isQuestion({ effect, shell, target, refused, sketch }: Step): boolean {
  return (
    (effect === 'run' || effect === 'read') && !shell && target === 0 && !refused && wordsIn(sketch) >= fewestWords
  );
}

function isReworded(before: Asked, { tool, skeleton, sketch }: Step): boolean {
  return before.tool === tool && before.skeleton !== skeleton && likeness(before.sketch, sketch) >= leastAlike;
}

/** How many of a sketch's sixteen buckets are filled: about the number of words, up to sixteen. */
function wordsIn(sketch: Sketch): number {
  let taken = 0;
  for (const four of sketch) for (let shift = 0; shift < 32; shift += 8) if ((four >>> shift) & 0xff) taken++;
  return taken;
}
