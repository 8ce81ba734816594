import { defineDetector, type Sighting } from '../../detector.js';
import type { Json } from '../../event.js';
import { requireNumber } from '../../options.js';
import { checked } from '../../shape.js';
import { messageTool, type Step } from '../../step/step.js';
import { fingerprint } from '../../value/fingerprint.js';
import { keep, shortLabel } from '../evidence.js';
import { type Cycle, type Cycles, followCycles, longestCycle, noCycles } from './cycles.js';
import { explain, type StaleRoundsEvidence } from './explain.js';
import {
  acceptedAt,
  addRow,
  batchAt,
  callAt,
  createLedger,
  failuresAt,
  type Ledger,
  loadLedger,
  newsAt,
  outcomeAt,
  promptsAt,
  rowOf,
  rowsIn,
  saveLedger,
  seqAt,
  steadyAt,
  waitsAt,
} from './ledger.js';
import { newPrompt, newsOf, summary } from './news.js';
import { remadeBy, switchedBack, type Told } from './remade.js';
import { countIdle, countVain, noStalls, planOf, type Stall, type Stalls, stallOf, waitOf } from './stalls.js';
import { callsWeighed, mostSpared, showsPlace, supportNeeded, type Weighed, weigh, weightOf } from './weigh/index.js';

export type { StaleRoundsEvidence } from './explain.js';

export interface StaleRoundsOptions {
  /** How many rounds with exactly the same result make a loop; rounds that prove less need more. */
  readonly times?: number;
}

interface State extends Stalls, Cycles {
  ledger: Ledger;
  /** How much news there has been, in thousandths. */
  news: number;
  waits: number;
  /** Index of the last call that made a change which was made before. */
  touched: number;
  prompts: number;
  /** How many calls did not fail. */
  accepted: number;
  batch: number;
  lastSeq: number;
  /** The call of the last step when that was a plan, a thought or declined by the user, else 0. */
  aside: number;
  /** The last steps, oldest first, as many as the longest cycle has. */
  recent: Told[];
}

/**
 * Sees rounds that bring nothing new: calls that are the same or nearly the same, with outcomes that are the same or
 * nearly the same, while nothing else has changed. Every round counts by how alike it is, less the news there has been
 * since. So a cosmetic change costs a little, and a real one much.
 */
export function staleRounds({ times = 3 }: StaleRoundsOptions = {}) {
  requireNumber('staleRounds: times', times, 2, 100);
  return defineDetector<'step' | 'prompt' | 'compaction', State, StaleRoundsEvidence>({
    name: 'stale-rounds',
    options: () => ({ times }),
    reads: ['step', 'prompt', 'compaction'],
    start,
    observe(state, reading) {
      if (reading.type === 'prompt') {
        state.news += newPrompt;
        state.prompts++;
        state.vain = state.idle = state.aside = state.plans = 0;
      }
      if (reading.type === 'compaction') state.news += summary;
      if (reading.type !== 'step') return undefined;
      // A plan, a thought, a call that the user declined: neither work nor news. The same again at once does count.
      const isAside = reading.effect === 'note' || reading.refused;
      const isAgain = reading.call !== 0 && reading.call === state.aside;
      state.aside = isAside ? reading.call : 0;
      const plan = planOf(state, reading);
      const seen = isAside && !isAgain ? undefined : observeStep(state, reading, times);
      return seen ?? (plan && stallSighting(plan, reading));
    },
    explain,
    save: ({ ledger, ...rest }): Json => ({ ...rest, ledger: saveLedger(ledger) }),
    load(saved): State {
      const { ledger, ...fresh } = start();
      const { plans, plansSince, touched } = fresh; // older snapshots have none of them
      const rest = checked(fresh, { plans, plansSince, touched, ...(saved as object) }, 'the state');
      return {
        ...rest,
        ledger: loadLedger((saved as { ledger?: unknown }).ledger),
        recent: rest.recent.slice(-longestCycle),
      };
    },
  });
}

function start(): State {
  return {
    ledger: createLedger(),
    news: 0,
    waits: 0,
    touched: -1,
    prompts: 0,
    accepted: 0,
    batch: 0,
    lastSeq: -1,
    aside: 0,
    ...noStalls,
    ...noCycles(),
    recent: [],
  };
}

function observeStep(state: State, step: Step, times: number): Sighting<StaleRoundsEvidence> | undefined {
  const polls = step.effect === 'poll' && step.status !== 'failed';
  if (step.callSeq > state.lastSeq) state.batch++;
  state.lastSeq = step.seq;
  const row = addRow(state.ledger, step, toolPrint(step.tool));
  const waits = polls && !wasTouched(state, step);
  if (waits) state.waits++;
  const weighed = weigh(state.ledger, step, state, (step.times ?? times) - mostSpared);
  const { tool, label: about, call, target, mutated: wrote } = step;
  const remade = remadeBy(state.ledger, state.recent, state.prompts, step);
  if (remade.times > 1) weighed.steady = remade.times;
  keep(state.recent, { tool, about, call, target, wrote }, longestCycle);
  if (step.status !== 'failed' && step.tool !== messageTool) state.accepted++;
  const news = Math.max(newsOf(step, weighed), remade.switched ? switchedBack : 0);
  if (step.mutated && news === 0) state.touched = step.callSeq;
  state.news += news;
  if (state.news > mostNews) rebase(state);
  const { rows } = state.ledger;
  rows[row + newsAt] = state.news;
  rows[row + batchAt] = state.batch;
  rows[row + waitsAt] = state.waits;
  rows[row + acceptedAt] = state.accepted;
  rows[row + promptsAt] = state.prompts;
  rows[row + failuresAt] = Math.round(100 * weighed.failures);
  rows[row + steadyAt] = weighed.steady;
  if (waits) {
    const wait = waitOf(state, state.ledger, step);
    return wait && stallSighting(wait, step);
  }
  countIdle(state, step, weighed, news);
  countVain(state, state.ledger, step, weighed, state.batch);
  const equalRounds = step.times ?? 1 + (supportNeeded(step, true, 1, times) - 1) / weightOf(step, true);
  const cycle = followCycles(state, state.ledger, step, equalRounds);
  if (cycle && cycle.rounds >= (isBack(state, cycle, step) ? Math.min(times, equalRounds) : equalRounds))
    return sighting(state, step, cycle);
  if (remade.times >= times)
    return stallSighting({ type: 'undone', looping: true, ...remade, support: remade.times }, step);
  const { rounds, verbatim, support, inRow } = weighed;
  if (rounds >= 3 && support >= supportNeeded(step, inRow, verbatim / rounds, times))
    return sighting(state, step, { ...weighed, period: (verbatim === rounds && cycle?.period) || 0 });
  const stall = stallOf(state, step, weighed);
  return stall && stallSighting(stall, step);
}

/**
 * Whether a known change was made again since the same call last had the same outcome. An agent that waits only looks.
 * An agent that restarts a thing as before, and sees it wait as before, makes a round.
 */
function wasTouched({ ledger, touched }: State, { call, outcome }: Step): boolean {
  const { rows } = ledger;
  for (let back = 2; back <= rowsIn(ledger); back++) {
    const row = rowOf(ledger, back);
    if (rows[row + callAt] === call && rows[row + outcomeAt] === outcome) return touched > rows[row + seqAt]!;
  }
  return false;
}

/** A move that repeats in a cycle with others and shows the same each time did not go on: it is back where it was. */
function isBack({ runs }: Cycles, { period }: Cycle, step: Step): boolean {
  return period > 1 && runs[0] === 0 && showsPlace(step);
}

/** The fingerprint of a tool's name. Most calls are of the same tool as the call before. */
function toolPrint(tool: string): number {
  if (tool !== lastTool) {
    lastPrint = fingerprint(tool);
    lastTool = tool;
  }
  return lastPrint;
}

let lastTool = '';
let lastPrint = fingerprint(lastTool);

function stallSighting({ type, looping, onset, times, support }: Stall, step: Step): Sighting<StaleRoundsEvidence> {
  return {
    kind: type === 'undone' ? 'oscillation' : 'stall',
    status: looping ? 'looping' : 'suspect',
    onset,
    confidence: !looping ? 0.5 : type === 'futile' ? 0.75 : 0.8,
    evidence: { ...evidenceOf(step), type, times, cycle: [], verbatim: 0, mixed: false, support },
    tools: [step.tool],
  };
}

/** Rows hold 32-bit integers: in a very long session, all counts of news are lowered by the same amount. */
function rebase(state: State): void {
  const { rows } = state.ledger;
  for (let back = 1; back <= rowsIn(state.ledger); back++) rows[rowOf(state.ledger, back) + newsAt]! -= mostNews;
  state.news -= mostNews;
}

const mostNews = 1_000_000_000;

/** Rounds by what they bring, or exactly equal rounds of a cycle. `period` is 0 when they are no cycle. */
type Rounds = Cycle & Partial<Pick<Weighed, 'support' | 'verbatim' | 'mixed'>>;

function sighting(
  state: State,
  step: Step,
  { period, rounds, onset, support, verbatim = rounds, mixed = false }: Rounds,
): Sighting<StaleRoundsEvidence> {
  const last = period === 0 ? [] : state.recent.slice(-period);
  // Rounds of a cycle end with the current step. Rounds that were weighed ended before it: it begins the next one.
  const turned = support === undefined ? last : [...last.slice(-1), ...last.slice(0, -1)];
  // A call whose result the host shows in two parts is one call.
  const cycle = turned.every(({ call }) => call === step.call) ? turned.slice(0, 1) : turned;
  const undone = cycle.find((one, k) => one.wrote && cycle.some((other, j) => j > k && undoes(one, other)));
  const same = verbatim === rounds;
  const kindOfOne = step.status === 'failed' ? 'repeated-failure' : same ? 'repeated-calls' : 'same-outcome';
  return {
    kind: undone ? 'oscillation' : cycle.length > 1 ? 'cycle' : kindOfOne,
    status: 'looping',
    onset,
    confidence: confidenceOf(step, same, rounds),
    evidence: {
      ...evidenceOf(step),
      ...(undone && named(undone)),
      type: undone ? 'undone' : 'rounds',
      times: rounds,
      cycle: cycle.map(named),
      verbatim,
      mixed,
      support: Math.round((support ?? rounds) * 100) / 100,
    },
    tools: period === 0 ? [step.tool] : [...new Set(cycle.map(({ tool }) => tool))],
    calls: period === 0 ? callsWeighed() : [...new Set(cycle.map(({ call }) => call))],
  };
}

/** The more equal rounds, the more certain. But when many varied rounds are needed, each of them shows little. */
function confidenceOf({ status }: Step, same: boolean, rounds: number): number {
  const more = Math.min(0.09, 0.02 * (rounds - 3));
  if (status === 'unseen') return 0.6 + more;
  return same ? 0.9 + Math.min(0.04, more) : 0.84 - Math.max(0, more - 0.04);
}

/** Two changes of one thing in a cycle: each undoes the other. */
function undoes(one: Told, other: Told): boolean {
  return other.wrote && other.target === one.target && other.call !== one.call;
}

function named({ tool, about }: { readonly tool: string; readonly about: string }) {
  return { tool, about: shortLabel(about) };
}

function evidenceOf(step: Step) {
  return {
    ...named({ tool: step.tool, about: step.label }),
    error: step.error?.core ?? null,
    empty: step.trivial,
    unseen: step.status === 'unseen',
  };
}
