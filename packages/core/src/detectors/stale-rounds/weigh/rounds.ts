import type { Step } from '../../../step/step.js';
import {
  batchAt,
  callAt,
  callSeqAt,
  failuresAt,
  type Ledger,
  newsAt,
  outcomeAt,
  promptsAt,
  rowOf,
  steadyAt,
  targetAt,
  toolAt,
  waitsAt,
} from '../ledger.js';
import { verySameAnswer } from './answers.js';
import { weightOf } from './proof.js';
import { answers, backs, type Now, places, questions, weighed } from './weighed.js';

/** To try again after a wait may be worth it. But what fails as before, for a reason of its own, counts a third. */
const failedAfterWait = 0.35;
/** A round counts only this much when it may be in the same request as the last. */
const batchedVerbatim = 0.6;
const batchedOther = 0.4;
/** A model hardly ever makes the same call twice in one request: when it fails again, it is another try. */
const batchedFailure = 0.9;
/** And this for every prompt since, when it did not fail: the user may have asked for it again. */
const askedAgain = 0.65;
/** A round that adds less than this is not counted as one. */
const leastRound = 0.25;
/** From this value on it is the same failure, in the count of failures that no change fixes. */
const likeFailure = 0.85;

/** A failure must have this many letters for its repeat to tell anything. */
const tellingFailure = 40;

/**
 * When other calls are answered, one that never is may be only a signal. So may one without text in its input, such as
 * a hand-over or a look at what is there. What is new in between then counts this many times.
 */
const silentPace = 4;

const mostCalls = 8;
/** The different calls of the rounds. An array that grows and shrinks would cost more than all else here. */
const calls = new Int32Array(mostCalls);

function isListed(call: number): boolean {
  for (let k = 0; k < weighed.calls; k++) if (calls[k] === call) return true;
  return false;
}

/** The different calls of the rounds weighed last, without those of which it is unknown what they ask. */
export function callsWeighed(): number[] {
  return Array.from(calls.subarray(0, weighed.calls));
}

/**
 * How many times in a row it has failed in this way: once more than the last time, unless the answer was new, there was
 * a wait or a prompt since, or both may be one request.
 */
function steadyOf(rows: Int32Array, { prompts, waits, batch }: Now): number {
  const { last, lastAnswer } = weighed;
  if (last < 0) return 1;
  if (lastAnswer < verySameAnswer && !weighed.known) return 1;
  if (rows[last + promptsAt] !== prompts || rows[last + waitsAt] !== waits || rows[last + batchAt] === batch) return 1;
  return rows[last + steadyAt]! + 1;
}

/** Adds up the rows that may be rounds, of which there are `found`. */
export function addUp(ledger: Ledger, found: number, step: Step, now: Now): void {
  const { rows } = ledger;
  const { call, callSeq } = step;
  const { news, waits } = now;
  const failed = step.status === 'failed';
  const tool = rows[rowOf(ledger, 1) + toolAt]!;
  calls[0] = call;
  weighed.failures = failed ? 1 : 0;
  weighed.failing = callSeq;
  weighed.steady = failed ? 1 : 0;
  weighed.rounds = 1;
  weighed.verbatim = 1;
  weighed.mixed = false;
  weighed.onset = callSeq;
  weighed.support = 1;
  weighed.calls = call === step.target ? 0 : 1; // equal if it is unknown what the call asks
  if (found === 0) return;
  if (failed && step.letters >= tellingFailure && !step.error!.infrastructure) weighed.steady = steadyOf(rows, now);
  const weightOfSame = weightOf(step, true);
  const weightOfOthers = weightOf(step, false);
  const pace = weighed.silent ? silentPace : 1;
  const afterWait = failed && !step.error!.infrastructure ? failedAfterWait : 0;
  let support = 1;
  let oldest = callSeq;
  let failedBatch = -1;
  let earlier = 0; // failures up to the last equal one; the first may be out of sight
  let batch = -1;
  let inBatch = 0; // what the rows of this batch have added
  let newsThen = news; // and what a round at that time still counts: rows without news in between share it
  let fresh = 1;
  for (let k = 0; k < found; k++) {
    const row = places[k]!;
    const answer = answers[backs[k]!]!;
    const question = questions[k]!;
    const same = rows[row + callAt] === call && call !== 0;
    const alike = question * question * answer * answer;
    const prompts = now.prompts - rows[row + promptsAt]!;
    if (failed && answer >= likeFailure && rows[row + batchAt] !== failedBatch) {
      if (weighed.failures === 1 && prompts === 0 && rows[row + outcomeAt] === step.outcome)
        earlier = alike + rows[row + failuresAt]! / 100;
      weighed.failures += alike;
      weighed.failing = rows[row + callSeqAt]!;
      failedBatch = rows[row + batchAt]!;
    }
    const waited = rows[row + waitsAt] === waits ? 1 : afterWait;
    if (waited === 0) continue;
    if (rows[row + newsAt] !== newsThen) {
      newsThen = rows[row + newsAt]!;
      fresh = Math.exp(((newsThen - news) * pace) / 1000);
    }
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
    else if (weighed.calls < mostCalls && rows[row + callAt] !== rows[row + targetAt] && !isListed(rows[row + callAt]!))
      calls[weighed.calls++] = rows[row + callAt]!;
    weighed.onset = oldest;
    oldest = rows[row + callSeqAt]!;
  }
  if (earlier > weighed.failures) weighed.failures = earlier;
  // An answer that comes back for every question is an acknowledgement, and says nothing about this one.
  weighed.support = 1 + (support - 1) / (1 + 0.4 * Math.max(0, weighed.others - 1));
}
