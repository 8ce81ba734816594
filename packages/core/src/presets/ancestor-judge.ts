import { type Detector, defineDetector } from '../detector.js';
import { isLoop, sure } from '../judge-schedule.js';

/** Sees a loop when a judge is more than 90 % sure. Unlike the detectors under the latch, it reports this only once. */
export function ancestorJudge(name: string): Detector {
  return defineDetector<'opinion', Record<string, never>, { analysis: string }>({
    name,
    options: () => ({ above: sure }),
    reads: ['opinion'],
    start: () => ({}),
    observe(_state, { confidence, analysis }, seq) {
      if (!isLoop(confidence)) return undefined;
      return {
        kind: 'judged',
        status: 'looping',
        onset: seq,
        confidence: Math.min(confidence, 1),
        evidence: { analysis: analysis.slice(0, 1000) },
      };
    },
    explain: ({ analysis }) => `A judge is sure that this is a loop: ${analysis.trim() || 'no reason was given'}`,
  });
}
