import type { Step } from '../../step/step.js';
import { longRefusal, type Weighed } from './weigh/index.js';

/* What counts as news since a round, in thousandths. Rounds before it weigh e^-news of what they did. */
const newChange = 1100;
const newResult = 120;
const changedAnswer = 800;
export const newPrompt = 130;
export const summary = 300;
/** A run or an act may change something too. */
const maybeChange = 0.35;
/** And an edit that is answered nearly as another was. */
const mayHaveTaken = 0.4;
/** So many letters, and a result says something. */
const tellingLetters = 24;

/** How much a step adds to what is new: a change never made before, a result never seen, another answer to an old question. */
export function newsOf(step: Step, { newness, seenBefore, answerChanged, shownLast, isFigures }: Weighed): number {
  const tells = Math.min(1, (isFigures ? step.size / 2 : step.letters) / tellingLetters);
  // What a run says that was not new, it did not change; one that says nothing may have changed something.
  const maybe = maybeChange * (1 - tells * (1 - newness));
  // An edit that is answered at length as another was before it did not take effect: it was refused, in whatever words.
  // Where the last one was not answered with the same to the letter, it may show a file that has changed, if only back.
  const took = step.letters < longRefusal ? 1 : Math.min(1, Math.max(shownLast ? 0 : mayHaveTaken, 3 * newness));
  const changes = step.status === 'failed' || step.effect === 'read' ? 0 : step.effect === 'write' ? took : maybe;
  // Another answer to an old question is news; what a look showed before, it may show again.
  const turned = step.effect === 'run' ? answerChanged : step.effect === 'read' ? Math.min(answerChanged, newness) : 0;
  const moved = turned > 0.3 && !step.error?.infrastructure ? turned : 0; // who is busy has not answered
  const changed = changes === 0 ? 0 : newChange * changes * (1 - seenBefore ** 4);
  return Math.round(Math.max(newResult * newness * tells, changed, changedAnswer * moved));
}
