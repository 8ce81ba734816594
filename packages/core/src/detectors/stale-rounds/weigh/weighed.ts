import { size } from '../ledger.js';

/** What the past says about a step. */
export interface Weighed {
  /** 1 for the step itself, and for each step before it how much it was the same round with nothing new since. */
  support: number;
  /** The same, whatever news there has been since, and for failures alone. */
  failures: number;
  /** How often in a row this very call has failed in this very way, whatever was done in between; with other numbers it counts less. */
  steady: number;
  /** The row of the last such call, -1 where there is none; and how much its answer is like this one. */
  last: number;
  /** This very call was answered in this very way before. */
  known: boolean;
  lastAnswer: number;
  /** Where those failures began. */
  failing: number;
  /** Rounds that count, this one included; how many of them with the very same call. */
  rounds: number;
  verbatim: number;
  /** Some of them were calls of another tool. */
  mixed: boolean;
  /** Index of the second of these rounds: the first repeat. */
  onset: number;
  /** How many different calls these rounds have (see `callsWeighed`). */
  calls: number;
  /** How little its outcome is like any before: 1 is all new. */
  newness: number;
  /** How much the step as a whole, question and answer, is like one before: 1 is the very same. */
  seenBefore: number;
  /** The same, of steps whose outcome was known before this one was asked for, with no wait and no request of the user since. */
  staleness: number;
  /** The call of this tool before this one had the very same result, to the letter. */
  shownLast: boolean;
  /** Its result is numbers in the main. */
  isFigures: boolean;
  /** The answer to this very call has changed since it was last asked: by how much. */
  answerChanged: number;
  /** The step before was the same round. */
  inRow: boolean;
  /** The very same was thought, called and answered before. */
  thoughtBefore: boolean;
  /** A mere signal, perhaps: its outcome is unseen where others were answered, or it succeeded and asks nothing in words. */
  silent: boolean;
  /** Outcomes like this one that came of quite another question. */
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

// One for all: it is written before it is read in every call, and read before the next.
export const weighed: Weighed = {
  support: 0.5, // a fraction, as it will be
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

// Written by every call before they are read. How alike the answer of the step `back` steps ago is, at [back]; and of the
// steps that may be rounds, newest first: how alike their question is, how many steps ago they were, and their rows.
export const answers = new Float64Array(size + 1);
export const questions = new Float64Array(size);
export const backs = new Int32Array(size);
export const places = new Int32Array(size);
