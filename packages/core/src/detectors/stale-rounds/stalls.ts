import type { Step } from '../../step/step.js';
import { buckets, wordIn } from '../../value/sketch.js';
import { callAt, callSeqAt, type Ledger, outcomeAt, promptsAt, rowOf, rowsIn, sketchAt } from './ledger.js';
import { answers, isThin, type Weighed, weightOf } from './weigh/index.js';

/** What is counted beside the rounds, over all tools together. */
export interface Stalls {
  /** What the steps of late brought that was not new, in thousandths; since when; and in how many steps. */
  idle: number;
  idleSince: number;
  idleSteps: number;
  /**
   * What the requests of late weigh, in thousandths, that looked for something and found nothing; since when; how many
   * they are; and the batch of the last.
   */
  vain: number;
  vainSince: number;
  vainSteps: number;
  vainBatch: number;
  /** Whether a result ever said more than "ok": a host may show nothing of what comes back. */
  shown: boolean;
  /** How many polls in a row brought the same as the one before; and since when. */
  polls: number;
  pollsSince: number;
  /** How often the plan was written in a row, with nothing done in between; and since when. */
  plans: number;
  plansSince: number;
}

/**
 * Steps without news, one failure that no change gets at, searches that find nothing, a wait in which nothing happens, or
 * a plan that is written again and again and not carried out.
 */
export interface Stall {
  readonly type: 'stall' | 'futile' | 'vain' | 'wait' | 'plan' | 'undone';
  readonly looping: boolean;
  readonly onset: number;
  readonly times: number;
  readonly support: number;
}

export const noStalls: Readonly<Stalls> = {
  idle: 0,
  idleSince: 0,
  idleSteps: 0,
  vain: 0,
  vainSince: 0,
  vainSteps: 0,
  vainBatch: 0,
  shown: false,
  polls: 0,
  pollsSince: 0,
  plans: 0,
  plansSince: 0,
};

const idleDecay = 3;
/** A step counts so much more where the model said the very same before it: what it has seen has not changed its mind. */
const sameThought = 2;
/** Less than this is nothing, and a new count begins. */
const leastIdle = 500;
/** So much that is stale is a suspicion, and so much is a loop. */
const suspectIdle = 3200;
const certainIdle = 9_000;
/** So many equal failures, whatever was changed in between, are a suspicion; and so many a loop. */
const suspectFailures = 6;
const certainFailures = 10;
/** And so many where the very same call has failed in the very same way each time. */
const suspectSteady = 3;
const certainSteady = 4;
/** From here on a step is the very same as one before. */
const verySame = 0.98;
/**
 * So much in vain: one for a search for something else, more the more of its words are a theme (`themeOf`), two for one
 * that was made before with the words in another order, and more for the very same once more.
 */
const sameSearch = 4;
const sameWords = 2;
const theme = 3;
/** From here on the words are the same. */
const reordered = 0.875;
/** Answers that are alike so much said nothing either; so many of these searches, the last ones, are compared. */
const likeMiss = 0.6;
const mostMisses = 12;
const fewestMisses = 3;
/** A suspicion, and a loop. Both come late, because who checks that names are gone finds nothing, too. */
const suspectVain = 8000;
const certainVain = 12_500;
/** "ok" and "success" have no more letters; `[]` has none, and says that there is nothing. */
const shortWord = 10;
/** So many polls with the same answer are a suspicion, each time, and never more: waiting is work. */
const suspectPolls = 20;

/** A plan that is written so often with nothing done in between is a suspicion; and so often a loop. Real agents write it twice. */
const suspectPlans = 4;
const certainPlans = 5;
/** Who wrote so many characters for the user in between has done something. */
const longRemark = 400;
const namesPlan = /(?:plan|to_?dos?|to_?do_?(?:write|list|update))$/i;

/** The stall that a step shows, those first that are certain. */
export function stallOf(stalls: Stalls, step: Step, weighed: Weighed): Stall | undefined {
  const vain = inVain(stalls);
  return vain?.looping ? vain : (idling(stalls) ?? futile(step, weighed) ?? vain);
}

/** Adds up what is stale over all tools: ten steps of three kinds, each short of its own measure, are a stall as well. */
export function countIdle(stalls: Stalls, step: Step, { staleness, thoughtBefore }: Weighed, news: number): void {
  if (news > 0 && stalls.idle >= leastIdle)
    stalls.idle = Math.round(stalls.idle * Math.exp((-idleDecay * news) / 1000));
  // A move that says little more than ok goes on from where the last one ended.
  const moves = step.effect === 'act' && isThin(step);
  const stale = moves
    ? 0
    : staleness *
      staleness *
      weightOf(step, staleness > verySame) *
      (step.batched ? 0.4 : 1) *
      (thoughtBefore ? sameThought : 1);
  if (stalls.idle < leastIdle) {
    stalls.idle = 0;
    stalls.idleSince = step.callSeq;
    stalls.idleSteps = 0;
  }
  stalls.idle += Math.round(1000 * stale);
  stalls.idleSteps++;
}

/**
 * Counts looks that find nothing, those of one batch as one, and more where they look for one thing. A look that finds
 * something new takes half of them away: who has found a little may still be looking in vain. Whatever else is done
 * begins the count anew.
 */
export function countVain(
  stalls: Stalls,
  ledger: Ledger,
  step: Step,
  { newness, staleness }: Weighed,
  batch: number,
): void {
  if (step.size > 0 && (step.letters === 0 || step.letters > shortWord)) stalls.shown = true;
  if (!findsNothing(step)) {
    const left = step.effect === 'read' && step.status === 'ok' ? 1 - newness / 2 : 0;
    stalls.vain = Math.round(stalls.vain * left);
    stalls.vainSteps = Math.round(stalls.vainSteps * left);
  } else if (batch !== stalls.vainBatch) {
    if (stalls.vain === 0) stalls.vainSince = step.callSeq;
    const weight =
      staleness > verySame
        ? sameSearch
        : staleness > reordered
          ? sameWords
          : 1 + theme * themeOf(ledger, stalls.vainSince);
    stalls.vain += Math.round(1000 * weight);
    stalls.vainSteps++;
  }
  stalls.vainBatch = batch;
}

/**
 * Which share of the words of the last step stand in some of the searches since that found nothing, but not in most: who
 * looks for one thing in other words takes words up again. What stands in most is the form of the search, as of one who
 * checks one name after the other. Words are told by the buckets of their sketches.
 */
function themeOf(ledger: Ledger, since: number): number {
  const { rows } = ledger;
  const own = rowOf(ledger, 1) + sketchAt;
  let words = 0;
  let takenUp = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const word = wordIn(rows, own, bucket);
    if (word === 0) continue;
    words++;
    let misses = 0;
    let same = 0;
    for (let back = 2; back <= rowsIn(ledger) && misses < mostMisses; back++) {
      const row = rowOf(ledger, back);
      if (answers[back]! < likeMiss || rows[row + callSeqAt]! < since) continue;
      misses++;
      if (wordIn(rows, row + sketchAt, bucket) === word) same++;
    }
    if (misses >= fewestMisses && same > 0 && same * 2 <= misses) takenUp++;
  }
  return words === 0 ? 0 : takenUp / words;
}

function findsNothing({ effect, status, size, trivial, error }: Step): boolean {
  if (effect !== 'read') return false;
  return status === 'failed' ? error!.bare : status === 'ok' && (trivial || size < 3);
}

function idling({ idle, idleSince: onset, idleSteps: times }: Stalls): Stall | undefined {
  if (idle < suspectIdle) return undefined;
  return { type: 'stall', looping: idle >= certainIdle, onset, times, support: idle / 1000 };
}

/** Work that takes effect and changes nothing: edit after edit, and the same failure each time. */
function futile(step: Step, { failures, steady, failing: onset }: Weighed): Stall | undefined {
  if (step.error === undefined || step.error.bare) return undefined;
  if (failures < suspectFailures && steady < suspectSteady) return undefined;
  const times = Math.round(Math.max(failures, steady));
  return {
    type: 'futile',
    looping: failures >= certainFailures || steady >= certainSteady,
    onset,
    times,
    support: times,
  };
}

function inVain({ vain, vainSince: onset, vainSteps: times, shown }: Stalls): Stall | undefined {
  if (vain < suspectVain || !shown) return undefined;
  return { type: 'vain', looping: vain >= certainVain, onset, times, support: vain / 1000 };
}

/** Counts how often a plan is written in a row. Thoughts are no plan, and may go on. */
export function planOf(stalls: Stalls, { effect, tool, remark, callSeq, refused, status }: Step): Stall | undefined {
  if (effect !== 'note' || refused || status === 'failed') {
    stalls.plans = 0;
    return undefined;
  }
  if (!namesPlan.test(tool)) return undefined;
  if (remark >= longRemark) stalls.plans = 0;
  // The loop begins with the second, which is the first that was not needed.
  if (++stalls.plans === 2) stalls.plansSince = callSeq;
  const { plans: times, plansSince: onset } = stalls;
  return times < suspectPlans
    ? undefined
    : { type: 'plan', looping: times >= certainPlans, onset, times, support: times };
}

/** Counts polls in a row, the last of which is the last row. */
export function waitOf(stalls: Stalls, ledger: Ledger, { callSeq }: Step): Stall | undefined {
  if (!isSamePoll(ledger)) stalls.polls = 0;
  else if (++stalls.polls === 1) stalls.pollsSince = callSeq;
  const times = stalls.polls + 1;
  if (times % suspectPolls > 0) return undefined;
  return { type: 'wait', looping: false, onset: stalls.pollsSince, times, support: times };
}

function isSamePoll(ledger: Ledger): boolean {
  const own = rowOf(ledger, 1);
  const before = rowOf(ledger, 2);
  return (
    rowsIn(ledger) > 1 && [callAt, outcomeAt, promptsAt].every((k) => ledger.rows[own + k] === ledger.rows[before + k])
  );
}
