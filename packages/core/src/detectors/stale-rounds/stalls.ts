import type { Step } from '../../step/step.js';
import { buckets, wordIn } from '../../value/sketch.js';
import { callAt, callSeqAt, type Ledger, outcomeAt, promptsAt, rowOf, rowsIn, sketchAt } from './ledger.js';
import { answers, isThin, type Weighed, weightOf } from './weigh/index.js';

/** What is counted beside the rounds, over all tools together. */
export interface Stalls {
  /** How much of what the recent steps brought was not new, in thousandths; since when; and in how many steps. */
  idle: number;
  idleSince: number;
  idleSteps: number;
  /**
   * The weight of the recent searches that found nothing, in thousandths; since when; how many they are; and the batch
   * of the last of them.
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
  /** How many times in a row the plan was written, with nothing done in between; and since when. */
  plans: number;
  plansSince: number;
}

/**
 * Steps without news, one failure that no change fixes, searches that find nothing, a wait in which nothing happens, a
 * plan that is written again and again and not carried out, or a change that is made again after it was undone.
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
/** A step counts this many times when the model thought the same before: what it has seen has not changed its mind. */
const sameThought = 2;
/** A sum below this is nothing, and a new count begins. */
const leastIdle = 500;
/** This much that is stale is a suspicion, and this much a loop. */
const suspectIdle = 3200;
const certainIdle = 9_000;
/** This many equal failures, whatever was changed in between, are a suspicion, and this many a loop. */
const suspectFailures = 6;
const certainFailures = 10;
/** And this many when exactly the same call has failed in exactly the same way each time. */
const suspectSteady = 3;
const certainSteady = 4;
/** From this staleness on, a step is the same as one before. */
const verySame = 0.98;
/**
 * How much a vain search counts: one for a search for something else, and more the more of its words are a theme
 * (`themeOf`); two for an earlier search with its words in another order; more for exactly the same again.
 */
const sameSearch = 4;
const sameWords = 2;
const theme = 3;
/** From this staleness on, the words are the same. */
const reordered = 0.875;
/** Answers this much alike found nothing either. The last of them are compared: at most, and at least, this many. */
const likeMiss = 0.6;
const mostMisses = 12;
const fewestMisses = 3;
/** A suspicion, and a loop. Both come late, because an agent that checks that names are gone finds nothing, too. */
const suspectVain = 8000;
const certainVain = 12_500;
/** "ok" and "success" have at most this many letters. `[]` has none, but it does say that there is nothing. */
const shortWord = 10;
/** Each time this many polls had the same answer is a suspicion, and never more: waiting is work. */
const suspectPolls = 20;

/** A plan written this many times with nothing done in between is a suspicion, then a loop. Real agents do it twice. */
const suspectPlans = 4;
const certainPlans = 5;
/** A model that wrote this many characters for the user in between has done something. */
const longRemark = 400;
const namesPlan = /(?:plan|to_?dos?|to_?do_?(?:write|list|update))$/i;

/** The stall that a step shows: a loop before a suspicion. */
export function stallOf(stalls: Stalls, step: Step, weighed: Weighed): Stall | undefined {
  const vain = inVain(stalls);
  const idle = idling(stalls);
  const failing = futile(step, weighed);
  return certain(vain) ?? certain(idle) ?? certain(failing) ?? idle ?? failing ?? vain;
}

function certain(stall: Stall | undefined): Stall | undefined {
  return stall?.looping ? stall : undefined;
}

/** Adds up what is stale over all tools: ten steps of three kinds, each below its own limit, are a stall as well. */
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
 * Counts searches that find nothing: those of one batch as one, and more when they look for one thing. A read that
 * finds something new takes up to half of the count away, because the agent may still be searching in vain. Any other
 * step begins the count anew.
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
    stalls.vainBatch = batch;
  }
}

/**
 * The share of the words of the last step that occur in some of the searches from `since` on that found nothing, but
 * not in most. An agent that looks for one thing in other words uses some words again. Words in most searches are only
 * their form, as when one name after the other is checked. Words are told apart by the buckets of their sketches.
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

/** Work that takes effect but does not help: edit after edit, and the same failure each time. */
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

/** Counts how many times in a row a plan is written. Thoughts are no plans: they neither count nor end the row. */
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

/** Counts equal polls in a row; the last of them is the last row. */
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
