import type { Step } from '../step/step.js';

/**
 * How many equal rounds of a call it takes to be sure, given what its outcome proves. `times` is for a call that was
 * refused for a reason; a result may be good to read again, a run may be repeated to see whether it is flaky, an act
 * (a click, a key, a step) is repeated because that is how one moves.
 */
export function roundsNeeded(step: Step, times: number): number {
  if (step.times !== undefined) return step.times;
  if (step.status === 'unseen') return times;
  if (step.error) return step.error.infrastructure ? times + 5 : step.error.bare ? times + 1 : times;
  switch (step.effect) {
    case 'read':
      return step.trivial ? times + 1 : times;
    case 'write':
      return step.change === undefined ? times + 1 : times; // to write the same text over itself is never needed
    case 'act':
      return isThin(step) ? times + 21 : times + 1;
    default:
      return isThin(step) ? times + 3 : times + 1;
  }
}

/** A result that says little more than ok. */
function isThin(step: Step): boolean {
  return step.trivial || step.size < 40;
}
