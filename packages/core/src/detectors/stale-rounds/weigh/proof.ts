import { messageTool, type Step } from '../../../step/step.js';

/** A short answer proves little. To different questions, only a long answer that stays the same proves anything. */
const thinAnswer = 0.49; // less than `leastIdle`: steps that answer "ok" do not add up to a stall
const fullAnswer = 60;
export const fullAnswerToOthers = 160;
/** An acknowledgement is shorter than this; a refusal that shows what it refuses is longer. */
export const longRefusal = 240;
const acknowledged = 0.1;
/** Without a result, only the call can be compared. */
const unseenVerbatim = 0.8;
const unseenOther = 0.12;

/** A result that says little more than ok. */
export function isThin(step: Step): boolean {
  return step.letters < fewLetters || (step.trivial && step.effect === 'act');
}

const fewLetters = 30;

/** How much an outcome proves. */
export function weightOf(step: Step, same: boolean): number {
  if (step.status === 'unseen') return same ? unseenVerbatim : unseenOther;
  if (step.status === 'failed') return 1;
  // An answer to a message proves something only when it is more than an acknowledgement.
  if (step.tool === messageTool)
    return Math.min(1, step.letters / (step.call === 0 ? fullAnswerToOthers : fullAnswer)) * (step.trivial ? 0.3 : 1);
  // Different changes get similar acknowledgements; only a long answer may be a refusal.
  if (!same && step.effect === 'write' && step.letters < longRefusal) return acknowledged;
  if (!same) return Math.min(1, step.letters / fullAnswerToOthers) * (step.trivial ? 0.3 : 1);
  // To make exactly the same change again is never needed; and a read shows all there is, however little that is.
  if (step.effect === 'write' || step.effect === 'read') return 1;
  return step.trivial ? thinAnswer : Math.min(1, thinAnswer + step.letters / fullAnswer);
}

/** A move whose result has this many letters shows where it led to. */
const toldMove = 60;

/** Whether a move shows where it led to. */
export function showsPlace({ effect, letters }: Step): boolean {
  return effect === 'act' && letters >= toldMove;
}

/** `supportNeeded` is never lower than `times` by more than this. */
export const mostSpared = 0.61;

/**
 * How much support makes a loop, given what the outcome proves and the share of rounds with exactly the same call
 * (`same`). A little less than whole rounds, because few rounds are exactly the same.
 */
export function supportNeeded(step: Step, inRow: boolean, same: number, times: number): number {
  if (step.times !== undefined) return step.times - 0.3;
  const least = times - 0.4;
  if (step.tool === messageTool) return least;
  const { error } = step;
  if (error !== undefined) {
    if (error.infrastructure) return least + 5;
    // When exactly the same call failed for a stated reason, what was new in between did not help.
    return least + (error.bare ? 0.8 : same === 1 ? -0.04 : 0.3);
  }
  // Without a result it is unknown where a move led: it may be one more page, one more step.
  if (step.status === 'unseen') return least + (step.effect === 'act' ? 3 : inRow ? -0.2 : 0.3);
  switch (step.effect) {
    case 'read':
      return least + 0.1; // reading a result again may be useful
    case 'write':
      return least + (inRow && same === 1 ? 0 : 0.5); // of varied changes, the first may have taken effect
    case 'act':
      return least + (isThin(step) ? 20 : 1); // a click, a key, a step: doing it again is doing more
    default:
      // The same run may be repeated to see whether it is flaky.
      return least + (same > 0.5 && (!inRow || isThin(step)) ? 0.74 : 0.2);
  }
}
