import type { Step } from '../../../step/step.js';
import { type Ledger, rowOf, rowsIn } from '../ledger.js';
import { compareAnswers } from './answers.js';
import { compareQuestions } from './questions.js';
import { addUp } from './rounds.js';
import { type Now, type Weighed, weighed } from './weighed.js';

export { isThin, longRefusal, mostSpared, showsPlace, supportNeeded, weightOf } from './proof.js';
export { callsWeighed } from './rounds.js';
export { answers, type Weighed } from './weighed.js';

/**
 * Compares a step, whose row is the last, with those before it, newest first. `now` is as it was before the step. It runs
 * for every step and every row: so it reads answers first, then questions, and then adds up the rows that may be rounds,
 * which most steps have none of. Where they did not fail and cannot come to a support of `least`, they are not added up.
 * What it gives is good until the next call.
 */
export function weigh(ledger: Ledger, step: Step, now: Now, least: number): Weighed {
  const own = rowOf(ledger, 1);
  const count = rowsIn(ledger);
  compareAnswers(ledger.rows, own, count, step);
  const found = compareQuestions(ledger.rows, own, count, step, now);
  const isAlone = step.status !== 'failed' && weighed.support < least;
  addUp(ledger, isAlone ? 0 : found, step, now);
  return weighed;
}
