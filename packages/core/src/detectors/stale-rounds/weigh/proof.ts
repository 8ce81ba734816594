import { messageTool, type Step } from '../../../step/step.js';

/** A short answer proves little; to other questions, only a long one that stays the same proves anything. */
const thinAnswer = 0.49; // less than `leastIdle`: steps that answer "ok" do not add up to a stall
const fullAnswer = 60;
const fullAnswerToOthers = 160;
/** An acknowledgement is shorter than this; a refusal that shows what it refuses is longer. */
export const longRefusal = 240;
const acknowledged = 0.1;
/** Where no result is seen, only the call speaks. */
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
  // What is answered to whatever is said proves something only where it is more than an acknowledgement.
  if (step.tool === messageTool)
    return Math.min(1, step.letters / (step.call === 0 ? fullAnswerToOthers : fullAnswer)) * (step.trivial ? 0.3 : 1);
  // Other changes are acknowledged alike; only what is answered at length may be a refusal.
  if (!same && step.effect === 'write' && step.letters < longRefusal) return acknowledged;
  if (!same) return Math.min(1, step.letters / fullAnswerToOthers) * (step.trivial ? 0.3 : 1);
  // The very same change once more is never needed; and a look shows all there is, however little that is.
  if (step.effect === 'write' || step.effect === 'read') return 1;
  return step.trivial ? thinAnswer : Math.min(1, thinAnswer + step.letters / fullAnswer);
}
