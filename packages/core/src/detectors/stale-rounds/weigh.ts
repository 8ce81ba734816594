import { messageTool, type Step } from '../../step/step.js';
import { likenessAt } from '../../value/sketch.js';
import { at, type Ledger, rowBefore, rowOf, rowsIn, statusCode } from './ledger.js';

// Constants of this module: those of another are looked up each time, and these are read for every pair of steps.
const {
  accepted: acceptedAt,
  batch: batchAt,
  call: callAt,
  callSeq: callSeqAt,
  errorLine: errorLineAt,
  exact: exactAt,
  news: newsAt,
  numbers: numbersAt,
  outcome: outcomeAt,
  prompts: promptsAt,
  said: saidAt,
  seq: seqAt,
  skeleton: skeletonAt,
  sketch: sketchAt,
  status: statusAt,
  target: targetAt,
  tool: toolAt,
  waits: waitsAt,
} = at;
const { unseen } = statusCode;

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
  /** How many calls a round has: 1, or the length of the cycle that the calls go round in. */
  period: number;
  /** Index of the second of these rounds: the first repeat. */
  onset: number;
  calls: number[];
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
}

/*
 * How alike two questions are. The very same call is 1. Calls that differ in numbers alone are nearly that; others are
 * what their words share, and never quite the same, because somebody tried something else. Another path or address is
 * another thing.
 */
const numbersApart = 0.97;
const wordsApart = 0.88;
const otherTool = 0.9;
const otherTarget = 0.75;
const otherMessage = 0.85;
/** The same tool failing for the same reason, or giving the same long answer, is alike whatever it was asked. */
const sameFailure = 0.65;
/** And more so where nothing at all has succeeded or brought news since: one error after the other. */
const failureStreak = 0.85;
const streakNews = 150;
const sameAnswer = 0.7;
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
/** A run that is repeated may be repeated for what differs. */
const measured = 0.75;
const sameLine = 0.97;
/** From here on it is the same failure, for those that nothing gets at. */
const likeFailure = 0.85;
/** A result longer than this can hold an error's line and still say something else. */
const shortResult = 400;

/** A round counts this much of itself when the agent waited since; and when it may be part of one request with the last. */
const waitedShare = 0.15;
const batchedVerbatim = 0.6;
/** And for every request of the user since, where it succeeded: they may have asked for it again. */
const askedAgain = 0.65;
const batchedOther = 0.4;
/** A round that adds less than this is not counted as one. */
const leastRound = 0.25;

/** A short answer proves little; to other questions, only a long one that stays the same proves anything. */
const thinAnswer = 0.45;
const fullAnswer = 60;
const fullAnswerToOthers = 160;
/** Where no result is seen, only the call speaks. */
const unseenVerbatim = 0.8;
const unseenOther = 0.2;

const mostCalls = 8;

/**
 * Compares a step, whose row is the last, with those before it, newest first. `now` is as it was before the step. What
 * it finds is kept in local variables until the end: it runs for every step and every row, and fields cost. What it
 * gives is good until the next call.
 */
export function weigh(
  ledger: Ledger,
  step: Step,
  now: { readonly news: number; readonly waits: number; readonly accepted: number; readonly prompts: number },
): Weighed {
  const { rows } = ledger;
  const { call, outcome, exact, callSeq } = step;
  const { waits } = now;
  const failed = step.status === 'failed';
  const isUnseen = step.status === 'unseen';
  const run = !failed && step.effect === 'run' ? measured : 1;
  const own = rowOf(ledger, 1);
  const weightOfSame = weightOf(step, true);
  const weightOfOthers = weightOf(step, false);
  const calls = [call];
  let support = 1;
  let failures = failed ? 1 : 0;
  let failing = callSeq;
  let rounds = 1;
  let verbatim = 1;
  let period = 1;
  let onset = callSeq;
  let newness = 1;
  let seenBefore = 0;
  let staleness = 0;
  let answerChanged = -1;
  let inRow = false;
  let oldest = callSeq;
  let failedBatch = -1;
  let batch = -1;
  let inBatch = 0; // what the rows of this batch have added
  let others = 0; // outcomes like this one that came of quite another question
  const count = rowsIn(ledger);
  let row = own;
  for (let back = 2; back <= count; back++) {
    row = rowBefore(row);
    const same = rows[row + callAt] === call && call !== 0;
    // How alike the answers are. It stands here because a function that gives a fraction has to make room for it.
    let answer = 1;
    if (isUnseen || rows[row + statusAt] === unseen) answer = isUnseen && rows[row + statusAt] === unseen ? 1 : 0;
    else if (rows[row + exactAt] !== exact) {
      const text = likenessAt(rows, own + saidAt, row + saidAt);
      const numbers = text === 0 ? 0 : likenessAt(rows, own + numbersAt, row + numbersAt);
      if (rows[row + outcomeAt] === outcome) answer = same ? run : 1;
      else if (same && failed) answer = text * (1 - counterShare + counterShare * numbers);
      else answer = text * (1 - numbersShare + numbersShare * numbers) * (same ? run : 1);
      if (failed) answer = errorLikeness(rows, row, step, answer, text);
    }
    if (answer === 0 && !same) continue;
    const fruitless = rows[row + acceptedAt] === now.accepted && now.news - rows[row + newsAt]! < streakNews;
    const question = same ? 1 : questionLikeness(rows, row, own, step, leastLikeness(step, answer, fruitless));
    const known = same && rows[row + outcomeAt] === outcome ? 1 : answer;
    const whole = question * known;
    if (1 - known < newness) newness = 1 - known;
    if (whole > seenBefore) seenBefore = whole;
    if (same && answerChanged < 0) answerChanged = 1 - answer;
    if (answer > 0.9 && question < 0.5) others++;
    if (back === 2 && question > 0.95 && answer > 0.95) inRow = true;
    if (rows[row + seqAt]! > callSeq) continue; // asked for before that result was known
    if (whole > staleness && rows[row + waitsAt] === waits) staleness = whole;
    if (question < leastQuestion || answer < leastAnswer) continue;
    // What a harness refuses is a loop only while nothing else is accepted.
    if (step.tool === messageTool && rows[row + acceptedAt] !== now.accepted) continue;
    if (failed && answer >= likeFailure && rows[row + batchAt] !== failedBatch) {
      failures += question * question * answer * answer;
      failing = rows[row + callSeqAt]!;
      failedBatch = rows[row + batchAt]!;
    }
    const fresh = Math.exp((rows[row + newsAt]! - now.news) / 1000);
    const waited = rows[row + waitsAt] === waits ? 1 : waitedShare;
    const prompts = now.prompts - rows[row + promptsAt]!;
    const asked = failed || prompts === 0 ? 1 : askedAgain ** prompts;
    const batched = step.batched ? (same ? batchedVerbatim : batchedOther) : 1;
    const round = question * question * answer * answer * fresh * waited * asked * batched;
    // Calls of one request are one round: the most alike of them.
    const before = rows[row + batchAt] === batch ? inBatch : 0;
    if (round <= before) continue;
    batch = rows[row + batchAt]!;
    inBatch = round;
    support += (round - before) * (same ? weightOfSame : weightOfOthers);
    if (round - before < leastRound) continue;
    rounds++;
    if (same) {
      verbatim++;
      if (rounds === 2) period = periodOf(ledger, back - 1);
    } else if (calls.length < mostCalls && !calls.includes(rows[row + callAt]!)) calls.push(rows[row + callAt]!);
    onset = oldest;
    oldest = rows[row + callSeqAt]!;
  }
  // What comes back for every question is an acknowledgement, and says nothing about this one.
  weighed.support = 1 + (support - 1) / (1 + 0.4 * Math.max(0, others - 1));
  weighed.failures = failures;
  weighed.failing = failing;
  weighed.rounds = rounds;
  weighed.verbatim = verbatim;
  weighed.period = period;
  weighed.onset = onset;
  weighed.calls = calls;
  weighed.newness = newness;
  weighed.seenBefore = seenBefore;
  weighed.staleness = staleness;
  weighed.answerChanged = Math.max(0, answerChanged);
  weighed.inRow = inRow;
  return weighed;
}

// One for all: it is written before it is read in every call, and read before the next.
const weighed: Weighed = {
  support: 0.5, // a fraction, as it will be
  failures: 0.5,
  failing: 0,
  rounds: 0,
  verbatim: 0,
  period: 0,
  onset: 0,
  calls: [],
  newness: 0.5,
  seenBefore: 0.5,
  staleness: 0.5,
  answerChanged: 0.5,
  inRow: false,
};

/** The distance to the last time, if what lay between is what lay before that as well; else 1. */
function periodOf(ledger: Ledger, distance: number): number {
  const { rows } = ledger;
  if (2 * distance > rowsIn(ledger)) return 1;
  for (let back = 2; back <= distance; back++)
    if (rows[rowOf(ledger, back) + callAt] !== rows[rowOf(ledger, back + distance) + callAt]) return 1;
  return distance;
}

/** How alike two calls of one tool are at least, whatever they ask; `fruitless` where nothing came of anything between. */
function leastLikeness(step: Step, answer: number, fruitless: boolean): number {
  if (answer < sameLine) return 0;
  if (step.tool === messageTool) return otherMessage;
  if (step.status === 'failed' && !step.error!.bare) return fruitless ? failureStreak : sameFailure;
  return step.status !== 'unseen' && step.letters >= longAnswer ? sameAnswer : 0;
}

/** Of calls that are not the same. */
function questionLikeness(rows: Int32Array, row: number, own: number, step: Step, least: number): number {
  const sameTool = rows[row + toolAt] === rows[own + toolAt];
  // Whatever was said, the same answer came back; or it is not known what was said.
  if (step.tool === messageTool && sameTool && (step.call === 0 || rows[row + callAt] === 0 || least > 0))
    return otherMessage;
  const target = rows[row + targetAt]!;
  const isOther = target !== 0 && step.target !== 0 && target !== step.target;
  if (isOther && step.status === 'unseen') return 0; // what came of it is not known, and it is about something else
  if (rows[row + skeletonAt] === step.skeleton) return isOther ? numbersApart * otherTarget : numbersApart;
  const words = Math.min(wordsApart, likenessAt(rows, own + sketchAt, row + sketchAt));
  const alike = words * (sameTool ? 1 : otherTool) * (isOther ? otherTarget : 1);
  return sameTool ? Math.max(alike, least) : alike;
}

/** The same, of an answer that is `alike` and whose words are like this one's by `text`, where both name an error. */
function errorLikeness(rows: Int32Array, row: number, step: Step, alike: number, text: number): number {
  const { error } = step;
  if (error === undefined || error.bare || rows[row + errorLineAt] === 0) return alike;
  const around = step.size < shortResult ? 1 : Math.min(1, 0.6 + text);
  return rows[row + errorLineAt] === error.line ? Math.max(alike, sameLine * around) : alike;
}

/** How much an outcome proves. */
export function weightOf(step: Step, same: boolean): number {
  if (step.status === 'unseen') return same ? unseenVerbatim : unseenOther;
  if (step.status === 'failed' || step.tool === messageTool) return 1;
  if (!same) return Math.min(1, step.letters / fullAnswerToOthers) * (step.trivial ? 0.3 : 1);
  return step.trivial ? thinAnswer : Math.min(1, thinAnswer + step.letters / fullAnswer);
}
