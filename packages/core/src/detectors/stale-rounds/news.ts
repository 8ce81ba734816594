import type { Step } from '../../step/step.js';
import { longRefusal, type Weighed } from './weigh/index.js';

/* How much counts as news, in thousandths. Rounds before that news keep e^-news of their weight. */
const newChange = 1100;
const newResult = 120;
const changedAnswer = 800;
export const newPrompt = 130;
export const summary = 300;
/** A run or an act may change something too. */
const maybeChange = 0.35;
/** So may an edit whose answer is nearly that of an earlier one. */
const mayHaveTaken = 0.4;
/** A result with this many letters says something. */
const tellingLetters = 24;

/** How much a step adds to what is new: a change never made before, a result never seen, another answer to an old question. */
export function newsOf(step: Step, { newness, seenBefore, answerChanged, shownLast, isFigures }: Weighed): number {
  const tells = Math.min(1, (isFigures ? step.size / 2 : step.letters) / tellingLetters);
  // A run whose result is not new has changed nothing; a run that says nothing may have changed something.
  const maybe = maybeChange * (1 - tells * (1 - newness));
  // An edit with the same long answer as an earlier one did not take effect: it was refused, in whatever words. But if
  // the last call of this tool had another answer, this one may show a file that has changed, if only back.
  const took = step.letters < longRefusal ? 1 : Math.min(1, Math.max(shownLast ? 0 : mayHaveTaken, 3 * newness));
  const changes = step.status === 'failed' || step.effect === 'read' ? 0 : step.effect === 'write' ? took : maybe;
  // Another answer to an old question is news. For a read it must also be new: it may show what it showed before.
  const turned = step.effect === 'run' ? answerChanged : step.effect === 'read' ? Math.min(answerChanged, newness) : 0;
  const moved = turned > 0.3 && !step.error?.infrastructure ? turned : 0; // a busy service has not answered
  const changed = changes === 0 ? 0 : newChange * changes * (1 - seenBefore ** 4);
  return Math.round(Math.max(newResult * newness * tells, changed, changedAnswer * moved));
}
