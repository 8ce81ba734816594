import { type Detector, defineDetector } from '../../detector.js';
import { requireInteger } from '../../options.js';
import { shortTool } from '../../step/identity.js';
import { exactJsonPrint } from '../../value/exact-print.js';

export interface IdenticalCallsOptions {
  /** How many equal calls in a row are a loop. */
  readonly times?: number;
}

type State = {
  print: number | null;
  count: number;
  /** Index of the second call of the row. */
  onset: number;
};

type Evidence = { tool: string; times: number; limit: number };

/**
 * Sees the same tool called with exactly the same input `times` times in a row. It reports at the call itself and does
 * not read results. Text, reasoning and results in between do not matter; a prompt resets the count.
 */
export function identicalCalls({ times = 5 }: IdenticalCallsOptions = {}): Detector {
  requireInteger('identicalCalls: times', times, 2);
  return defineDetector<'prompt' | 'tool-call', State, Evidence>({
    name: 'identical-calls',
    options: () => ({ times }),
    reads: ['prompt', 'tool-call'],
    start: () => ({ print: null, count: 0, onset: 0 }),
    observe(state, event, seq) {
      const print = event.type === 'tool-call' ? exactJsonPrint(wellFormed(event.tool), event.input) : undefined;
      if (event.type === 'prompt' || print === undefined) {
        state.print = null;
        state.count = 0;
        return undefined;
      }
      if (print !== state.print) {
        state.print = print;
        state.count = 1;
        return undefined;
      }
      state.count++;
      if (state.count === 2) state.onset = seq;
      if (state.count < times) return undefined;
      const tool = shortTool(event.tool);
      return {
        kind: 'repeated-calls',
        status: 'looping',
        onset: state.onset,
        confidence: 0.8,
        evidence: { tool, times: state.count, limit: times },
        tools: [tool],
      };
    },
    explain: ({ tool, times: count, limit }) =>
      `${tool} was called ${count} times in a row with the same input (the limit is ${limit}).`,
  });
}

/** All lone halves of surrogate pairs count as the same character, as they do when written as UTF-8. */
function wellFormed(name: string): string {
  return name.replace(/\p{Surrogate}/gu, '\ufffd');
}
