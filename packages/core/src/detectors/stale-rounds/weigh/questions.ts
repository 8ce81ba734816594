import { messageTool, type Step } from '../../../step/step.js';
import { filledBuckets, likenessAt } from '../../../value/sketch.js';
import {
  acceptedAt,
  callAt,
  errorLineAt,
  exactAt,
  newsAt,
  outcomeAt,
  promptsAt,
  seqAt,
  size,
  skeletonAt,
  sketchAt,
  targetAt,
  thoughtAt,
  toolAt,
  waitsAt,
  width,
} from '../ledger.js';
import { sameLine, verySameAnswer } from './answers.js';
import { fullAnswerToOthers, weightOf } from './proof.js';
import { answers, backs, type Now, places, questions, weighed } from './weighed.js';

const lastRow = (size - 1) * width;

/*
 * How alike two questions are. Exactly the same call is 1. Calls that differ only in numbers are nearly 1. For others
 * it is the share of common words, and never quite 1, because the agent tried something else. Another path or address
 * makes it another thing; another tool with the same words does not.
 */
const numbersApart = 0.97;
/**
 * Other numbers may mean another page, record or drawer. They do when the answer is not the same, unless the model
 * thought exactly the same before.
 */
const otherPage = 0.55;
const sameView = 0.97;
const wordsApart = 0.88;
/** Many words that are all the same, only arranged in another way, are a cosmetic change. */
const sameWords = 0.96;
const manyWords = 12; // of the sixteen buckets of a sketch
const otherTarget = 0.75;
/** Messages that got the same answer: with other words, or all unknown; and when only the earlier one is unknown. */
const otherMessage = 0.85;
const firstMessage = 0.93;
const sharedWords = 0.25;
/** The same tool with the same failure, or the same long answer, counts as alike whatever it was asked. */
const sameFailure = 0.65;
/** And more so when nothing has succeeded and hardly any news came since: one error after the other. */
const failureStreak = 0.85;
/** For another tool this is a little less sure: all tools may be out of order. */
const failureElsewhere = 0.62;
const streakNews = 150;
/** How alike two checks are that name the same error, and how much must have changed in between. */
const sameCheck = 0.6;
const changedBetween = 300;
const sameAnswer = 0.8;
const longAnswer = 60;
/** A search in other words brings much the same in another order. For a long answer, that is no coincidence. */
const nearAnswer = 0.7;
const otherWords = 0.86;
/** Below these, two steps have nothing to do with each other. */
const leastQuestion = 0.4;
const leastAnswer = 0.6;

/** Compares the questions where that can matter, and returns how many of the rows may be rounds. */
export function compareQuestions(rows: Int32Array, own: number, count: number, step: Step, now: Now): number {
  const { call, outcome, callSeq, target } = step;
  const { waits } = now;
  const isMessage = step.tool === messageTool;
  const apart = isMessage ? numbersApart : numbersApart * otherTarget;
  const isUnseen = step.status === 'unseen';
  const tool = rows[own + toolAt]!;
  const skeleton = rows[own + skeletonAt]!;
  const line = rows[own + errorLineAt] || -1;
  const weightOfSame = weightOf(step, true);
  const weightOfOthers = weightOf(step, false);
  const isLong = isLongLook(step);
  const hasPages = step.status === 'ok';
  let support = 1; // an upper bound
  let found = 0;
  let mostKnown = 0;
  let seenBefore = 0;
  let staleness = 0;
  let answerChanged = -1;
  let inRow = false;
  let others = 0;
  let isMute = isUnseen;
  let thoughtBefore = false;
  let shownLast = false;
  let isLast = true; // no step of this tool was found yet
  weighed.last = -1;
  weighed.known = false;
  let row = own;
  for (let back = 2; back <= count; back++) {
    row = row === 0 ? lastRow : row - width;
    const answer = answers[back]!;
    if (answer === 0) isMute = false;
    if (isLast && rows[row + toolAt] === tool) {
      isLast = false;
      shownLast = rows[row + exactAt] === step.exact;
    }
    if (
      weighed.last < 0 &&
      call !== 0 &&
      (rows[row + skeletonAt] === skeleton ||
        (rows[row + errorLineAt] === line && isSameCheck(rows, row, own, tool, now)))
    ) {
      weighed.last = row;
      weighed.lastAnswer = answer;
    }
    let question = 1;
    let known = answer;
    if (rows[row + callAt] === call && call !== 0) {
      if (rows[row + outcomeAt] === outcome) known = 1;
      if (answer >= verySameAnswer) weighed.known = true;
      if (answerChanged < 0) answerChanged = 1 - answer;
      if (known > 0.9 && isThought(rows, row, step)) thoughtBefore = true;
    } else {
      if (answer === 0) continue;
      // Skips the many rows that are no round and, whatever they asked, cannot be closer than an earlier row was.
      const about = rows[row + targetAt]!;
      const isOther = about !== target && about !== 0 && target !== 0;
      if (answer < leastAnswer && answer <= mostKnown && answer * (isOther ? apart : numbersApart) <= staleness)
        continue;
      const sameTool = rows[row + toolAt] === tool;
      const isNear = sameTool && !isOther && isLong && answer >= nearAnswer;
      const least =
        answer >= sameLine ? leastLikeness(rows, row, step, now, sameTool, isOther) : isNear ? otherWords : 0;
      // It is not known what one of the messages said; or, below, the same answer came back whatever was said.
      if (isMessage && sameTool && (call === 0 || rows[row + callAt] === 0))
        question = call === 0 ? otherMessage : firstMessage;
      else if (isMessage && least > 0) question = messageLikeness(rows, row, own);
      // It is about something else, and what came of it is not known.
      else if (isOther && (isUnseen || step.error?.bare === true)) question = 0;
      else
        question = questionLikeness(
          rows,
          row,
          own,
          isOther,
          least,
          hasPages && answer < sameView && !isThought(rows, row, step) ? otherPage : numbersApart,
        );
    }
    const whole = question * known;
    if (known > mostKnown) mostKnown = known;
    if (whole > seenBefore) seenBefore = whole;
    if (answer > 0.9 && question < 0.5) others++;
    if (back === 2 && question > 0.95 && answer > 0.95) inRow = true;
    if (rows[row + seqAt]! > callSeq) continue; // asked for before that result was known
    // After a new prompt, the user may have asked for it again.
    if (whole > staleness && rows[row + waitsAt] === waits && rows[row + promptsAt] === now.prompts) staleness = whole;
    if (question < leastQuestion || answer < leastAnswer) continue;
    // Messages that a harness refuses are a loop only while nothing else is accepted.
    if (isMessage && rows[row + acceptedAt] !== now.accepted) continue;
    support += question * question * answer * answer * (question === 1 ? weightOfSame : weightOfOthers);
    questions[found] = question;
    backs[found] = back;
    places[found++] = row;
  }
  weighed.support = support;
  weighed.newness = 1 - mostKnown;
  weighed.seenBefore = seenBefore;
  weighed.staleness = staleness;
  weighed.answerChanged = Math.max(0, answerChanged);
  weighed.inRow = inRow;
  weighed.thoughtBefore = thoughtBefore;
  weighed.shownLast = shownLast;
  weighed.silent = isUnseen ? !isMute : step.status === 'ok' && step.label === '';
  weighed.others = isMute ? 0 : others; // if no result was ever seen, no answer came back
  return found;
}

/**
 * Whether a call that names the same error as an earlier one is the same check of something that was made anew in
 * between: the log of the next pod, of the next run. Without a change in between it is a look at another thing.
 */
function isSameCheck(rows: Int32Array, row: number, own: number, tool: number, now: Now): boolean {
  return (
    rows[row + toolAt] === tool &&
    now.news - rows[row + newsAt]! >= changedBetween &&
    likenessAt(rows, own + sketchAt, row + sketchAt) >= sameCheck
  );
}

/** Whether the model thought exactly the same before the step of a row. */
function isThought(rows: Int32Array, row: number, { thought }: Step): boolean {
  return thought !== 0 && rows[row + thoughtAt] === thought;
}

/** The least value for two calls with the same answer, whatever they ask. */
function leastLikeness(
  rows: Int32Array,
  row: number,
  step: Step,
  now: Now,
  sameTool: boolean,
  isOther: boolean,
): number {
  if (step.tool === messageTool) return sameTool ? otherMessage : 0;
  if (step.status === 'failed' && !step.error!.bare) {
    // In a row of nothing but failures, another tool that fails for the same reason is no new approach.
    if (rows[row + acceptedAt] === now.accepted && now.news - rows[row + newsAt]! < streakNews)
      return sameTool ? failureStreak : failureElsewhere;
    return sameTool ? sameFailure : 0;
  }
  // Different files or pages may look alike.
  if (!sameTool || isOther || step.status === 'unseen' || step.letters < longAnswer || step.effect === 'act') return 0;
  return sameAnswer;
}

/** Whether a read or a run succeeded with a long answer, whatever the tool. */
function isLongLook({ effect, status, letters }: Step): boolean {
  return (effect === 'read' || effect === 'run') && status === 'ok' && letters >= fullAnswerToOthers;
}

/** For messages that got the same answer: `otherMessage` at least, and more when they share words. */
function messageLikeness(rows: Int32Array, row: number, own: number): number {
  return Math.min(numbersApart, otherMessage + sharedWords * likenessAt(rows, own + sketchAt, row + sketchAt));
}

/** For calls that differ. `isOther`: they are about different things. `apart`: the value if only numbers differ. */
function questionLikeness(
  rows: Int32Array,
  row: number,
  own: number,
  isOther: boolean,
  least: number,
  apart: number,
): number {
  if (rows[row + skeletonAt] === rows[own + skeletonAt]) return isOther ? apart * otherTarget : apart;
  const alike = likenessAt(rows, own + sketchAt, row + sketchAt);
  const words =
    alike === 1 && filledBuckets(rows, own + sketchAt) >= manyWords ? sameWords : Math.min(wordsApart, alike);
  return Math.max(words * (isOther ? otherTarget : 1), least);
}
