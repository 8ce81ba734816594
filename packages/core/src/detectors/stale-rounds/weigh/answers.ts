import type { Step } from '../../../step/step.js';
import { emptyBuckets, filledBuckets, likenessTo } from '../../../value/sketch.js';
import {
  callAt,
  errorLineAt,
  exactAt,
  lettersAt,
  numbersAt,
  outcomeAt,
  saidAt,
  size,
  statusAt,
  statusCode,
  width,
} from '../ledger.js';
import { answers, weighed } from './weighed.js';

const { ok, unseen } = statusCode;
const lastRow = (size - 1) * width;

/*
 * How alike two answers are. To the same question other numbers are a counter where the call failed, and news where it
 * succeeded; to another question they are the answer.
 */
const counterShare = 0.1;
const numbersShare = 0.5;
/** A result that is so many numbers in the main says what these say. */
const manyNumbers = 6;
const sameCallShare = 0.65;
/** A run that is repeated may be repeated for what differs. */
const measured = 0.75;
/** A look that is repeated may follow something that changes; but what masks itself out, a clock or a counter, is no change. */
const watched = 0.9;
/** And a move goes on from where the last one ended: what differs shows that it did. */
const moved = 0.5;
/** But a long view of the same words in which but a few numbers differ is the same place with a counter in it. */
const longView = 200;
const sameText = 0.97;
const fewNumbers = 0.8;
/** What two results that name the very same error have in common, whatever else they say. */
export const sameLine = 0.97;
/** From here on it is the very same answer, a counter in it aside. */
export const verySameAnswer = 0.985;
/**
 * The very same edit once more is no change, whatever comes back for it: each shows the file as it is by then. What a
 * command changes, its output tells: `npm ci && ./bench.sh` in every step of a bisection.
 */
const sameChange = 0.97;
/** A result longer than this can hold an error's line and still say something else. */
const shortResult = 400;
/** Where less fails than before, it is another failure. */
const lessFails = 0.55;
const longFailure = 200;
const fewer = 0.95;

/** Compares the answer of a step, whose row is `own`, with those of the rows before it. */
export function compareAnswers(rows: Int32Array, own: number, count: number, step: Step): void {
  const { call, outcome, exact, status } = step;
  const failed = status === 'failed';
  const isUnseen = status === 'unseen';
  const isLook = step.effect === 'read';
  const isFigures = step.letters * 3 < step.size && filledBuckets(rows, own + numbersAt) >= manyNumbers;
  weighed.isFigures = isFigures;
  const isView = step.effect === 'act' && step.letters >= longView;
  const again = failed ? 1 : step.effect === 'run' ? measured : step.effect === 'act' ? moved : 1;
  const said0 = rows[own + saidAt]!;
  const said1 = rows[own + saidAt + 1]!;
  const said2 = rows[own + saidAt + 2]!;
  const said3 = rows[own + saidAt + 3]!;
  const noWords = emptyBuckets(said0, said1, said2, said3);
  const numbers0 = rows[own + numbersAt]!;
  const numbers1 = rows[own + numbersAt + 1]!;
  const numbers2 = rows[own + numbersAt + 2]!;
  const numbers3 = rows[own + numbersAt + 3]!;
  const noNumbers = emptyBuckets(numbers0, numbers1, numbers2, numbers3);
  let row = own;
  for (let back = 2; back <= count; back++) {
    row = row === 0 ? lastRow : row - width;
    let answer = 1;
    if (isUnseen || rows[row + statusAt] === unseen) answer = isUnseen && rows[row + statusAt] === unseen ? 1 : 0;
    else if (rows[row + exactAt] !== exact) {
      const same = rows[row + callAt] === call && call !== 0;
      const text = likenessTo(said0, said1, said2, said3, noWords, rows, row + saidAt);
      const numbers =
        text === 0 ? 0 : likenessTo(numbers0, numbers1, numbers2, numbers3, noNumbers, rows, row + numbersAt);
      if (rows[row + outcomeAt] === outcome) answer = same ? again : 1;
      else if (same && failed) answer = text * (1 - counterShare + counterShare * numbers);
      else if (same) {
        const share = isLook || (isView && text >= sameText && numbers >= fewNumbers) ? watched : again;
        answer = text * (1 - sameCallShare + sameCallShare * numbers) * share;
      } else answer = isFigures ? numbers : text * (1 - numbersShare + numbersShare * numbers);
      if (same && !failed && step.effect === 'write' && !step.shell && rows[row + statusAt] === ok)
        answer = Math.max(answer, sameChange);
      if (failed) answer = errorLikeness(rows, row, step, answer, text);
    }
    answers[back] = answer;
  }
}

/** The same, of an answer that is `alike` and whose words are like this one's by `text`, where both name an error. */
function errorLikeness(rows: Int32Array, row: number, step: Step, alike: number, text: number): number {
  const { error } = step;
  if (error === undefined || error.bare || rows[row + errorLineAt] === 0) return alike;
  const around = step.size < shortResult ? 1 : Math.min(1, 0.6 + text);
  const share = isFewer(step.letters, rows[row + lettersAt]!) ? lessFails : 1;
  return (rows[row + errorLineAt] === error.line ? Math.max(alike, sameLine * around) : alike) * share;
}

/** Whether a failure has less to complain of than one before it, which said so at length. */
function isFewer(letters: number, before: number): boolean {
  return before >= longFailure && letters < fewer * before;
}
