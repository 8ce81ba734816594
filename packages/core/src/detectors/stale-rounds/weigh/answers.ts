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
 * How alike two answers are. When the question is the same, other numbers are a counter if the call failed, and news if
 * it succeeded. When the question is another, the numbers are the answer.
 */
const counterShare = 0.1;
const numbersShare = 0.5;
/** A result that is mostly numbers, at least this many of them, says what the numbers say. */
const manyNumbers = 6;
const sameCallShare = 0.65;
/** A run may be repeated to see what differs. */
const measured = 0.75;
/** A repeated read may follow something that changes. But what is masked, a clock or a counter, is no change. */
const watched = 0.9;
/** And a move goes on from where the last one ended: a different answer shows that it did. */
const moved = 0.5;
/** But a long view with the same words and only a few other numbers is the same place with a counter in it. */
const longView = 200;
const sameText = 0.97;
const fewNumbers = 0.8;
/** How alike two results are at least that name exactly the same error, whatever else they say. */
export const sameLine = 0.97;
/** From this value on it is the same answer, apart from a counter in it. */
export const verySameAnswer = 0.985;
/**
 * To make exactly the same edit again is no change, whatever its result says: each result shows the file at that time.
 * For a command, the output tells what it changed: `npm ci && ./bench.sh` in every step of a bisection.
 */
const sameChange = 0.97;
/** A result longer than this can contain the line of an error and still say something else. */
const shortResult = 400;
/** When less fails than before, it is another failure. */
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

/** How alike two answers are when both name an error. `alike` is the value so far, `text` that of their words alone. */
function errorLikeness(rows: Int32Array, row: number, step: Step, alike: number, text: number): number {
  const { error } = step;
  if (error === undefined || error.bare || rows[row + errorLineAt] === 0) return alike;
  const around = step.size < shortResult ? 1 : Math.min(1, 0.6 + text);
  const share = isFewer(step.letters, rows[row + lettersAt]!) ? lessFails : 1;
  return (rows[row + errorLineAt] === error.line ? Math.max(alike, sameLine * around) : alike) * share;
}

/** Whether a failure says less than an earlier one that was long. */
function isFewer(letters: number, before: number): boolean {
  return before >= longFailure && letters < fewer * before;
}
