import { defineDetector } from '../../detector.js';
import { requireNumber } from '../../options.js';

export interface OpinionOptions {
  /** A judge at least this sure is reported as a loop; */
  readonly certain?: number;
  /** and one at least this sure as a suspicion. */
  readonly doubtful?: number;
}

type Evidence = { by: string; analysis: string };

/** Reads what a judge thinks of the session (see `packages/judge`). */
export function opinion({ certain = 0.9, doubtful = 0.7 }: OpinionOptions = {}) {
  requireNumber('opinion: certain', certain, 0, 1);
  requireNumber('opinion: doubtful', doubtful, 0, certain);
  return defineDetector<'opinion', Record<string, never>, Evidence>({
    name: 'opinion',
    options: () => ({ certain, doubtful }),
    reads: ['opinion'],
    start: () => ({}),
    observe(_state, { by, confidence, analysis }, seq) {
      if (!(confidence >= doubtful && confidence <= 1)) return undefined; // a number such as 20 is not a confidence
      return {
        kind: 'judged',
        status: confidence >= certain ? 'looping' : 'suspect',
        onset: seq,
        confidence,
        evidence: { by: by.slice(0, 100), analysis: analysis.slice(0, 2000) },
      };
    },
    explain: ({ by, analysis }) =>
      `${by === '' ? 'A judge' : by} read the session and thinks that it is stuck: ${analysis}`,
  });
}
