import { defineDetector, type Sighting } from '../../detector.js';
import type { Json } from '../../event.js';
import { requireNumber } from '../../options.js';
import { checked } from '../../shape.js';
import { messageTool, type Step } from '../../step/step.js';
import { fingerprint } from '../../value/fingerprint.js';
import { inWords, keep, shortLabel } from '../evidence.js';
import { type Cycle, type Cycles, followCycles, longestCycle, noCycles } from './cycles.js';
import {
  acceptedAt,
  addRow,
  batchAt,
  createLedger,
  type Ledger,
  loadLedger,
  newsAt,
  promptsAt,
  rowOf,
  rowsIn,
  saveLedger,
  waitsAt,
} from './ledger.js';
import { countIdle, countVain, noStalls, type Stall, type Stalls, stallOf, waitOf } from './stalls.js';
import { callsWeighed, isThin, longRefusal, type Weighed, weigh, weightOf } from './weigh/index.js';

export interface StaleRoundsOptions {
  /** How many rounds that bring the very same again make a loop; rounds that prove less need more. */
  readonly times?: number;
}

export type StaleRoundsEvidence = {
  /**
   * Rounds that are alike; a change that is made and undone; many steps of all kinds without news; one failure that no
   * change gets at; searches that find nothing; or polls that bring nothing.
   */
  readonly type: 'rounds' | 'undone' | Stall['type'];
  readonly tool: string;
  readonly about: string;
  readonly times: number;
  /** The calls of a round, where each is the very same as in the round before and follows at once. */
  readonly cycle: readonly { readonly tool: string; readonly about: string }[];
  /** Rounds with the very same call. */
  readonly verbatim: number;
  /** Some rounds were calls of another tool than `tool`, which is the last. */
  readonly mixed: boolean;
  /** The line of the error, for rounds that fail; for a harness, what it answers. */
  readonly error: string | null;
  readonly empty: boolean;
  /** No results were seen. */
  readonly unseen: boolean;
  readonly support: number;
};

interface State extends Stalls, Cycles {
  ledger: Ledger;
  /** How much news there has been, in thousandths. */
  news: number;
  waits: number;
  prompts: number;
  /** Calls that brought a result. */
  accepted: number;
  batch: number;
  lastSeq: number;
  /** The call of the last step where it was a plan, a thought or declined by the user, else 0. */
  aside: number;
  /** The last steps, oldest first, as far as a cycle of them is told about. */
  recent: Told[];
}

type Told = { tool: string; about: string; call: number; target: number; wrote: boolean };

/* What counts as news since a round. Rounds before it weigh e^-news of what they did. */
const newChange = 1100;
const newResult = 120;
const changedAnswer = 800;
const newPrompt = 130;
const summary = 300;
/** A run or an act may change something too. */
const maybeChange = 0.35;
/** A move is acknowledged in so many letters; in twice as many it shows where it led to. */
const shortMove = 30;
/** So many letters, and a result says something. */
const tellingLetters = 24;

/**
 * Sees rounds that bring nothing new: calls that are the same or nearly the same, with outcomes that are the same or
 * nearly the same, while nothing else has changed. Every round counts by how alike it is, less the news there has been
 * since; so that a cosmetic change costs a little, and an honest one much.
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
        state.vain = state.idle = state.aside = 0;
      }
      if (reading.type === 'compaction') state.news += summary;
      if (reading.type !== 'step') return undefined;
      // A plan, a thought, a call that the user declined: neither work nor news. The very same at once again counts.
      const isAside = reading.effect === 'note' || reading.refused;
      const isAgain = reading.call !== 0 && reading.call === state.aside;
      state.aside = isAside ? reading.call : 0;
      if (isAside && !isAgain) return undefined;
      return observeStep(state, reading, times);
    },
    explain,
    save: ({ ledger, ...rest }): Json => ({ ...rest, ledger: saveLedger(ledger) }),
    load(saved): State {
      const { ledger, ...fresh } = start();
      const rest = checked(fresh, saved, 'the state');
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
  const waits = step.effect === 'poll' && step.status !== 'failed';
  if (waits) state.waits++;
  if (step.callSeq > state.lastSeq) state.batch++;
  state.lastSeq = step.seq;
  const row = addRow(state.ledger, step, toolPrint(step.tool));
  const weighed = weigh(state.ledger, step, state, (step.times ?? times) - mostSpared);
  const { tool, label: about, call, target, mutated: wrote } = step;
  keep(state.recent, { tool, about, call, target, wrote }, longestCycle);
  if (step.status !== 'failed' && step.tool !== messageTool) state.accepted++;
  const news = newsOf(step, weighed);
  state.news += news;
  if (state.news > mostNews) rebase(state);
  const { rows } = state.ledger;
  rows[row + newsAt] = state.news;
  rows[row + batchAt] = state.batch;
  rows[row + waitsAt] = state.waits;
  rows[row + acceptedAt] = state.accepted;
  rows[row + promptsAt] = state.prompts;
  if (waits) {
    const wait = waitOf(state, state.ledger, step);
    return wait && stallSighting(wait, step);
  }
  countIdle(state, step, weighed, news);
  countVain(state, step, weighed, state.batch);
  const equalRounds = step.times ?? 1 + (supportNeeded(step, true, 1, times) - 1) / weightOf(step, true);
  const cycle = followCycles(state, state.ledger, step, equalRounds);
  if (cycle && cycle.rounds >= equalRounds) return sighting(state, step, cycle);
  const { rounds, verbatim, support, inRow } = weighed;
  if (rounds >= 3 && support >= supportNeeded(step, inRow, verbatim / rounds, times))
    return sighting(state, step, { ...weighed, period: (verbatim === rounds && cycle?.period) || 0 });
  const stall = stallOf(state, step, weighed);
  return stall && stallSighting(stall, step);
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
    kind: 'stall',
    status: looping ? 'looping' : 'suspect',
    onset,
    confidence: !looping ? 0.5 : type === 'futile' ? 0.75 : 0.8,
    evidence: { ...evidenceOf(step), type, times, cycle: [], verbatim: 0, mixed: false, support },
    tools: [step.tool],
  };
}

/** Rows hold integers of 32 bits: in a very long session all counts of news begin anew, with the same distances. */
function rebase(state: State): void {
  const { rows } = state.ledger;
  for (let back = 1; back <= rowsIn(state.ledger); back++) rows[rowOf(state.ledger, back) + newsAt]! -= mostNews;
  state.news -= mostNews;
}

const mostNews = 1_000_000_000;

/** How much a step adds to what is new: a change never made before, a result never seen, another answer to an old question. */
function newsOf(step: Step, { newness, seenBefore, answerChanged }: Weighed): number {
  const tells = Math.min(1, step.letters / tellingLetters);
  // What a run says that was not new, it did not change; one that says nothing may have changed something.
  const maybe = maybeChange * (1 - tells * (1 - newness));
  // An edit that is answered at length as another was before it did not take effect: it was refused, in whatever words.
  const took = step.letters < longRefusal ? 1 : Math.min(1, 3 * newness);
  const changes = step.status === 'failed' || step.effect === 'read' ? 0 : step.effect === 'write' ? took : maybe;
  // Another answer to an old question is news; what a look showed before, it may show again.
  const turned = step.effect === 'run' ? answerChanged : step.effect === 'read' ? Math.min(answerChanged, newness) : 0;
  const moved = turned > 0.3 && !step.error?.infrastructure ? turned : 0; // who is busy has not answered
  const changed = changes === 0 ? 0 : newChange * changes * (1 - seenBefore ** 4);
  return Math.round(Math.max(newResult * newness * tells, changed, changedAnswer * moved));
}

/** No step needs less support than `times` by more than this (see `supportNeeded`). */
const mostSpared = 0.51;

/**
 * How much support it takes, given what the outcome proves, and which share of the rounds made the very same call. A
 * little less than whole rounds: few are the very same.
 */
function supportNeeded(step: Step, inRow: boolean, same: number, times: number): number {
  if (step.times !== undefined) return step.times - 0.3;
  const least = times - 0.3;
  if (step.tool === messageTool) return least;
  const { error } = step;
  if (error !== undefined) {
    if (error.infrastructure) return least + 5;
    // The very same call, refused for a reason: what else was new in between did not make it any better.
    return least + (error.bare ? 0.8 : same === 1 ? -0.1 : 0);
  }
  // Of a move nobody knows where it led: one more page, one more step.
  if (step.status === 'unseen') return least + (step.effect === 'act' ? 3 : inRow ? -0.2 : 0.3);
  switch (step.effect) {
    case 'read':
      return least + 0.1; // a result may be good to read again
    case 'write':
      return least + (inRow ? 0 : 0.5);
    case 'act':
      return least + (isThin(step) ? 20 : 20 - 19 * Math.min(1, step.letters / shortMove - 1)); // a click, a key, a step: doing it again is doing more
    default:
      // The same may be run again to see whether it is flaky.
      return least + (inRow && !isThin(step) ? 0.2 : same > 0.5 ? 0.74 : 0.4);
  }
}

/** Rounds by what they bring, or those of a cycle, which are the very same. `period` is 0 where they are no cycle. */
type Rounds = Cycle & Partial<Pick<Weighed, 'support' | 'verbatim' | 'mixed'>>;

function sighting(
  state: State,
  step: Step,
  { period, rounds, onset, support, verbatim = rounds, mixed = false }: Rounds,
): Sighting<StaleRoundsEvidence> {
  const last = period === 0 ? [] : state.recent.slice(-period);
  // Whole rounds end with the step at hand; what was seen before that begins the next with it.
  const cycle = support === undefined ? last : [...last.slice(-1), ...last.slice(0, -1)];
  const undone = cycle.find((one, k) => one.wrote && cycle.some((other, j) => j > k && undoes(one, other)));
  const same = verbatim === rounds;
  const kindOfOne = step.status === 'failed' ? 'repeated-failure' : same ? 'repeated-calls' : 'same-outcome';
  return {
    kind: undone ? 'oscillation' : period > 1 ? 'cycle' : kindOfOne,
    status: 'looping',
    onset,
    confidence: (step.status === 'unseen' ? 0.6 : same ? 0.9 : 0.8) + Math.min(0.09, 0.02 * (rounds - 3)),
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

/** Two changes of one thing in a cycle: each takes back the other. */
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

function explain({
  type,
  tool,
  about,
  times,
  cycle,
  verbatim,
  mixed,
  error,
  empty,
  unseen,
}: StaleRoundsEvidence): string {
  if (type === 'stall') return `The last ${times} calls brought nothing that had not been seen before.`;
  if (type === 'vain') return `Of late, ${times} searches found nothing, the last of them ${tool} (${about}).`;
  if (type === 'futile')
    return `${tool} has failed ${times} times with the same error, “${error}”, whatever was changed in between.`;
  if (type === 'undone')
    return `The same change of ${about === '' ? 'the same thing' : about} was made ${times} times with ${tool}, and undone in between.`;
  if (type === 'wait')
    return `${inBrief({ tool, about })} was polled ${times} times in a row and gave the same answer. One blocking call that waits until it is done would save the rest.`;
  if (tool === messageTool) {
    const answer = error === null ? 'the same' : `the same “${error}”`;
    const last = error === null && about !== '' ? `, the last of them “${about}”,` : '';
    return `${times} messages in a row${last} were answered with ${answer}, and nothing was done in between.`;
  }
  if (cycle.length > 0) {
    const names = inWords(cycle.map(inBrief));
    const what =
      cycle.length === 1
        ? `The call ${names} was made ${times} times in a row`
        : `The same ${cycle.length} calls, ${names}, went round ${times} times`;
    return `${what}, ${unseen ? 'without a result that we could see' : `with the same ${error === null ? 'result' : 'failure'} each time`}.`;
  }
  const call = inBrief({ tool, about });
  const how =
    verbatim === times
      ? 'the same call each time'
      : verbatim > 1
        ? 'some calls the same, some a little different'
        : 'each call a little different';
  if (unseen) return `The call ${call} was made ${times} times, ${how}, without a result that we could see.`;
  if (error !== null) {
    const failed = mixed ? `${tool} and other tools have failed` : `${tool} has failed`;
    return `${failed} ${times} times with the same error, “${error}”, ${how}.`;
  }
  if (verbatim === times)
    return `The call ${call} came back ${times} times with the same result each time, and nothing had changed in between.`;
  return `${mixed ? `${tool} and other tools were` : `${tool} was`} asked in ${times} ways, last ${about === '' ? 'without arguments' : `(${about})`}, and ${empty ? 'found nothing each time' : 'gave the same result each time'}.`;
}

function inBrief({ tool, about }: { readonly tool: string; readonly about: string }): string {
  return about === '' ? tool : `${tool} (${about})`;
}
