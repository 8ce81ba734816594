import { size } from '../ledger.js';

/** What the past says about a step. */
export interface Weighed {
  /** 1 for the step itself, and for each step before it how far it was the same round with nothing new since. */
  support: number;
  /** The same for failures only, whatever news there was since. */
  failures: number;
  /** How many times in a row this call (numbers aside) has failed in the same way, whatever was done in between. */
  steady: number;
  /** The last row with this call (numbers aside) or this check, -1 if none; and, in `lastAnswer`, how alike its answer is. */
  last: number;
  /** The same call got the same answer before. */
  known: boolean;
  lastAnswer: number;
  /** Index of the call with which the failures began. */
  failing: number;
  /** Rounds that count, this one included; how many of them made exactly the same call. */
  rounds: number;
  verbatim: number;
  /** Some of them were calls of another tool. */
  mixed: boolean;
  /** Index of the second of these rounds: the first repeat. */
  onset: number;
  /** How many different calls these rounds have (see `callsWeighed`). */
  calls: number;
  /** How new its outcome is: 1 is unlike any before. */
  newness: number;
  /** How alike the step as a whole, question and answer, is to one before: 1 is exactly the same. */
  seenBefore: number;
  /** The same, but only for steps whose outcome was known before this call, with no wait and no prompt since. */
  staleness: number;
  /** The call of this tool before this one had exactly the same result. */
  shownLast: boolean;
  /** Its result is mostly numbers. */
  isFigures: boolean;
  /** By how much the answer to this same call has changed since the last time. */
  answerChanged: number;
  /** The step before was the same round. */
  inRow: boolean;
  /** The same was thought, called and answered before. */
  thoughtBefore: boolean;
  /** Perhaps only a signal: its outcome is unseen while others are not, or it succeeded and its input has no text. */
  silent: boolean;
  /** How many outcomes like this one came from quite another question. */
  others: number;
}

/** What had happened in the lane before a step. */
export interface Now {
  readonly news: number;
  readonly waits: number;
  readonly accepted: number;
  readonly prompts: number;
  readonly batch: number;
}

// One object, reused: every call writes it before it reads it, and it is read before the next call.
export const weighed: Weighed = {
  support: 0.5, // a fraction, as later values are
  failures: 0.5,
  failing: 0,
  steady: 0.5,
  last: -1,
  known: false,
  lastAnswer: 0.5,
  rounds: 0,
  verbatim: 0,
  mixed: false,
  onset: 0,
  calls: 0,
  newness: 0.5,
  seenBefore: 0.5,
  staleness: 0.5,
  shownLast: false,
  isFigures: false,
  answerChanged: 0.5,
  inRow: false,
  thoughtBefore: false,
  silent: false,
  others: 0,
};

// Every call writes these before it reads them. `answers[back]`: how alike the answer `back` steps ago is. The others,
// for the steps that may be rounds, newest first: how alike the question is, how many steps ago, and the row.
export const answers = new Float64Array(size + 1);
export const questions = new Float64Array(size);
export const backs = new Int32Array(size);
export const places = new Int32Array(size);
