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
 * Compares a step (the last row) with the steps before it, newest first. `now` is the state before the step. This runs
 * for every step and every row. So it compares answers first, then questions, and last adds up the rows that may be
 * rounds; most steps have none. When the step did not fail and cannot reach a support of `least`, nothing is added up.
 * The returned object is valid until the next call.
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
