import { messageTool, type Step } from '../../step/step.js';
import { emptyBuckets, likenessAt, likenessTo } from '../../value/sketch.js';
import {
  acceptedAt,
  batchAt,
  callAt,
  callSeqAt,
  errorLineAt,
  exactAt,
  type Ledger,
  newsAt,
  numbersAt,
  outcomeAt,
  promptsAt,
  rowOf,
  rowsIn,
  saidAt,
  seqAt,
  size,
  skeletonAt,
  sketchAt,
  statusAt,
  statusCode,
  targetAt,
  thoughtAt,
  toolAt,
  waitsAt,
  width,
} from './ledger.js';

const { ok, unseen } = statusCode;
const rowWidth = width;
const lastRow = (size - 1) * width;

/** What the past says about a step. */
export interface Weighed {
  /** 1 for the step itself, and for each step before it how much it was the same round with nothing new since. */
  support: number;
  /** The same, whatever news there has been since, and for failures alone. */
  failures: number;
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
  /** The same, of steps whose outcome was known before this one was asked for, with no wait since. */
  staleness: number;
  /** The answer to this very call has changed since it was last asked: by how much. */
  answerChanged: number;
  /** The step before was the same round. */
  inRow: boolean;
  /** The very same was thought, called and answered before. */
  thoughtBefore: boolean;
  /** Outcomes like this one that came of quite another question. */
  others: number;
}

/*
 * How alike two questions are. The very same call is 1. Calls that differ in numbers alone are nearly that; others are
 * what their words share, and never quite the same, because somebody tried something else. Another path or address is
 * another thing; another tool for the same words is none.
 */
const numbersApart = 0.97;
const wordsApart = 0.88;
const otherTarget = 0.75;
const otherMessage = 0.85;
const sharedWords = 0.25;
/** The same tool failing for the same reason, or giving the same long answer, is alike whatever it was asked. */
const sameFailure = 0.65;
/** And more so where nothing at all has succeeded or brought news since: one error after the other. */
const failureStreak = 0.85;
const streakNews = 150;
const sameAnswer = 0.8;
const samePage = 0.65;
const longAnswer = 60;
/** Below these, two steps have nothing to do with each other. */
const leastQuestion = 0.4;
const leastAnswer = 0.6;

/*
 * How alike two answers are. To the same question other numbers are a counter where the call failed, and news where it
 * succeeded; to another question they are the answer.
 */
const counterShare = 0.1;
const numbersShare = 0.5;
const sameCallShare = 0.65;
/** A run that is repeated may be repeated for what differs. */
const measured = 0.75;
/** And a move goes on from where the last one ended: what differs shows that it did. */
const moved = 0.5;
const sameLine = 0.97;
/** The very same change once more is no change, whatever comes back for it: each shows the file as it is by then. */
const sameChange = 0.97;
/** From here on it is the same failure, for those that nothing gets at. */
const likeFailure = 0.85;
/** A result longer than this can hold an error's line and still say something else. */
const shortResult = 400;

/** A round counts this much of itself when the agent waited since; and when it may be part of one request with the last. */
const waitedShare = 0.15;
const batchedVerbatim = 0.6;
const batchedOther = 0.4;
/** Hardly anybody asks for the same thing twice in one request: where it fails again, it is another try. */
const batchedFailure = 0.9;
/** And for every request of the user since, where it succeeded: they may have asked for it again. */
const askedAgain = 0.65;
/** A round that adds less than this is not counted as one. */
const leastRound = 0.25;

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

const mostCalls = 8;
/** The different calls of the rounds. A list that grows and shrinks costs more than all else here. */
const calls = new Int32Array(mostCalls);

function isListed(call: number): boolean {
  for (let k = 0; k < weighed.calls; k++) if (calls[k] === call) return true;
  return false;
}

/** The different calls of the rounds of what was weighed last. */
export function callsWeighed(): number[] {
  return Array.from(calls.subarray(0, weighed.calls));
}

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

/** What had happened in the lane before a step. */
interface Now {
  readonly news: number;
  readonly waits: number;
  readonly accepted: number;
  readonly prompts: number;
}

// Written by every call before they are read. How alike the answer of the step `back` steps ago is, at [back]; and of the
// steps that may be rounds, newest first: how alike their question is, how many steps ago they were, and their rows.
const answers = new Float64Array(size + 1);
const questions = new Float64Array(size);
const backs = new Int32Array(size);
const places = new Int32Array(size);

/** Compares the answer of a step, whose row is `own`, with those of the rows before it. */
function compareAnswers(rows: Int32Array, own: number, count: number, step: Step): void {
  const { call, outcome, exact, status } = step;
  const failed = status === 'failed';
  const isUnseen = status === 'unseen';
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
    row = row === 0 ? lastRow : row - rowWidth;
    let answer = 1;
    if (isUnseen || rows[row + statusAt] === unseen) answer = isUnseen && rows[row + statusAt] === unseen ? 1 : 0;
    else if (rows[row + exactAt] !== exact) {
      const same = rows[row + callAt] === call && call !== 0;
      const text = likenessTo(said0, said1, said2, said3, noWords, rows, row + saidAt);
      const numbers =
        text === 0 ? 0 : likenessTo(numbers0, numbers1, numbers2, numbers3, noNumbers, rows, row + numbersAt);
      if (rows[row + outcomeAt] === outcome) answer = same ? again : 1;
      else if (same && failed) answer = text * (1 - counterShare + counterShare * numbers);
      else if (same) answer = text * (1 - sameCallShare + sameCallShare * numbers) * again;
      else answer = text * (1 - numbersShare + numbersShare * numbers);
      if (same && !failed && step.effect === 'write' && rows[row + statusAt] === ok)
        answer = Math.max(answer, sameChange);
      if (failed) answer = errorLikeness(rows, row, step, answer, text);
    }
    answers[back] = answer;
  }
}

/** Compares the question where that may tell something, and gives how many of the rows may be rounds. */
function compareQuestions(rows: Int32Array, own: number, count: number, step: Step, now: Now): number {
  const { call, outcome, callSeq, target } = step;
  const { waits } = now;
  const isMessage = step.tool === messageTool;
  const apart = isMessage ? numbersApart : numbersApart * otherTarget;
  const isUnseen = step.status === 'unseen';
  const tool = rows[own + toolAt]!;
  const weightOfSame = weightOf(step, true);
  const weightOfOthers = weightOf(step, false);
  let support = 1; // at most
  let found = 0;
  let mostKnown = 0;
  let seenBefore = 0;
  let staleness = 0;
  let answerChanged = -1;
  let inRow = false;
  let others = 0;
  let isMute = isUnseen;
  let thoughtBefore = false;
  let row = own;
  for (let back = 2; back <= count; back++) {
    row = row === 0 ? lastRow : row - rowWidth;
    const answer = answers[back]!;
    if (answer === 0) isMute = false;
    let question = 1;
    let known = answer;
    if (rows[row + callAt] === call && call !== 0) {
      if (rows[row + outcomeAt] === outcome) known = 1;
      if (answerChanged < 0) answerChanged = 1 - answer;
      if (known > 0.9 && step.thought !== 0 && rows[row + thoughtAt] === step.thought) thoughtBefore = true;
    } else {
      if (answer === 0) continue;
      // Most rows are no round, and less like this one than another was, whatever they asked: that need not be known.
      const about = rows[row + targetAt]!;
      const isOther = about !== target && about !== 0 && target !== 0;
      if (answer < leastAnswer && answer <= mostKnown && answer * (isOther ? apart : numbersApart) <= staleness)
        continue;
      const sameTool = rows[row + toolAt] === tool;
      const least = answer < sameLine ? 0 : leastLikeness(rows, row, step, now, sameTool, isOther);
      // Whatever was said, the same answer came back; or it is not known what was said.
      if (isMessage && sameTool && (call === 0 || rows[row + callAt] === 0)) question = otherMessage;
      else if (isMessage && least > 0) question = messageLikeness(rows, row, own);
      // What came of it is not known, and it is about something else.
      else if (isOther && isUnseen) question = 0;
      else question = questionLikeness(rows, row, own, isOther, least);
    }
    const whole = question * known;
    if (known > mostKnown) mostKnown = known;
    if (whole > seenBefore) seenBefore = whole;
    if (answer > 0.9 && question < 0.5) others++;
    if (back === 2 && question > 0.95 && answer > 0.95) inRow = true;
    if (rows[row + seqAt]! > callSeq) continue; // asked for before that result was known
    if (whole > staleness && rows[row + waitsAt] === waits) staleness = whole;
    if (question < leastQuestion || answer < leastAnswer) continue;
    // What a harness refuses is a loop only while nothing else is accepted.
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
  weighed.others = isMute ? 0 : others; // where no result was ever seen, none came back for every question
  return found;
}

/** Adds up the rows that may be rounds, of which there are `found`. */
function addUp(ledger: Ledger, found: number, step: Step, now: Now): void {
  const { rows } = ledger;
  const { call, callSeq } = step;
  const { news, waits } = now;
  const failed = step.status === 'failed';
  const tool = rows[rowOf(ledger, 1) + toolAt]!;
  calls[0] = call;
  weighed.failures = failed ? 1 : 0;
  weighed.failing = callSeq;
  weighed.rounds = 1;
  weighed.verbatim = 1;
  weighed.mixed = false;
  weighed.onset = callSeq;
  weighed.support = 1;
  weighed.calls = 1;
  if (found === 0) return;
  const weightOfSame = weightOf(step, true);
  const weightOfOthers = weightOf(step, false);
  let support = 1;
  let oldest = callSeq;
  let failedBatch = -1;
  let batch = -1;
  let inBatch = 0; // what the rows of this batch have added
  let newsThen = news; // and what a round of then still counts: rows without news between them share it
  let fresh = 1;
  for (let k = 0; k < found; k++) {
    const row = places[k]!;
    const answer = answers[backs[k]!]!;
    const question = questions[k]!;
    const same = rows[row + callAt] === call && call !== 0;
    const alike = question * question * answer * answer;
    if (failed && answer >= likeFailure && rows[row + batchAt] !== failedBatch) {
      weighed.failures += alike;
      weighed.failing = rows[row + callSeqAt]!;
      failedBatch = rows[row + batchAt]!;
    }
    if (rows[row + newsAt] !== newsThen) {
      newsThen = rows[row + newsAt]!;
      fresh = Math.exp((newsThen - news) / 1000);
    }
    const waited = rows[row + waitsAt] === waits ? 1 : waitedShare;
    const prompts = now.prompts - rows[row + promptsAt]!;
    const asked = failed || prompts === 0 ? 1 : askedAgain ** prompts;
    const batched = !step.batched ? 1 : !same ? batchedOther : failed ? batchedFailure : batchedVerbatim;
    const round = alike * fresh * waited * asked * batched;
    // Calls of one request are one round: the most alike of them.
    const before = rows[row + batchAt] === batch ? inBatch : 0;
    if (round <= before) continue;
    batch = rows[row + batchAt]!;
    inBatch = round;
    support += (round - before) * (same ? weightOfSame : weightOfOthers);
    if (round - before < leastRound) continue;
    weighed.rounds++;
    if (rows[row + toolAt] !== tool) weighed.mixed = true;
    if (same) weighed.verbatim++;
    else if (weighed.calls < mostCalls && !isListed(rows[row + callAt]!)) calls[weighed.calls++] = rows[row + callAt]!;
    weighed.onset = oldest;
    oldest = rows[row + callSeqAt]!;
  }
  // What comes back for every question is an acknowledgement, and says nothing about this one.
  weighed.support = 1 + (support - 1) / (1 + 0.4 * Math.max(0, weighed.others - 1));
}

// One for all: it is written before it is read in every call, and read before the next.
const weighed: Weighed = {
  support: 0.5, // a fraction, as it will be
  failures: 0.5,
  failing: 0,
  rounds: 0,
  verbatim: 0,
  mixed: false,
  onset: 0,
  calls: 0,
  newness: 0.5,
  seenBefore: 0.5,
  staleness: 0.5,
  answerChanged: 0.5,
  inRow: false,
  thoughtBefore: false,
  others: 0,
};

/** How alike two calls with the same answer are at least, whatever they ask. */
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
    // In a row of nothing but failures, another tool that fails for the same reason is no other way out.
    if (rows[row + acceptedAt] === now.accepted && now.news - rows[row + newsAt]! < streakNews) return failureStreak;
    return sameTool ? sameFailure : 0;
  }
  if (!sameTool || step.status === 'unseen' || step.letters < longAnswer || step.effect === 'act') return 0;
  // Of many files or pages each may look alike; but hardly the very same.
  return isOther ? (rows[row + exactAt] === step.exact ? samePage : 0) : sameAnswer;
}

/** Of messages that were answered alike: whatever they say, and more where they share words. */
function messageLikeness(rows: Int32Array, row: number, own: number): number {
  return Math.min(numbersApart, otherMessage + sharedWords * likenessAt(rows, own + sketchAt, row + sketchAt));
}

/** Of calls that are not the same; `isOther` where they are about another thing. */
function questionLikeness(rows: Int32Array, row: number, own: number, isOther: boolean, least: number): number {
  if (rows[row + skeletonAt] === rows[own + skeletonAt]) return isOther ? numbersApart * otherTarget : numbersApart;
  const words = Math.min(wordsApart, likenessAt(rows, own + sketchAt, row + sketchAt));
  return Math.max(words * (isOther ? otherTarget : 1), least);
}

/** The same, of an answer that is `alike` and whose words are like this one's by `text`, where both name an error. */
function errorLikeness(rows: Int32Array, row: number, step: Step, alike: number, text: number): number {
  const { error } = step;
  if (error === undefined || error.bare || rows[row + errorLineAt] === 0) return alike;
  const around = step.size < shortResult ? 1 : Math.min(1, 0.6 + text);
  return rows[row + errorLineAt] === error.line ? Math.max(alike, sameLine * around) : alike;
}

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
