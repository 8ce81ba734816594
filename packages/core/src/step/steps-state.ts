import type { Json } from '../event.js';
import { checked, optional } from '../shape.js';
import { startHash } from '../value/fingerprint.js';
import { loadedCall, type Pending, pendingLike } from './pending.js';
import { createPrompts, createViews, loadPrompts, loadViews, type Prompts, type Views } from './prompts.js';
import { createSurroundings, type Surroundings } from './surroundings.js';

/** With more pending calls than this, the oldest counts as unanswered. The second limit holds during a turn. */
export const mostPending = 16;
export const mostInTurn = 64;
/** Only this much of a message is kept, to tell whether it is the same as another. */
export const longestMessage = 1000;

/** What is kept of a lane to join its calls with their results: plain data, so that it can be saved. */
export interface State {
  pending: Pending[];
  /** How many times, up to 2, the model has spoken before a call; and how many calls ago it last did. */
  remarks: number;
  since: number;
  spoken: boolean;
  /** Whether a turn or a prompt began since the last call; and whether the turn goes on. */
  bounded: boolean;
  inTurn: boolean;
  request: number;
  /** Whether a result has ever come; and how many calls were given up since the last result. */
  answers: boolean;
  unanswered: number;
  /** Ids of the last calls that were answered: what comes for them now was logged twice, or is a part of the answer. */
  done: string[];
  /** Ids of the last calls given up; and whether the result of a call given up has ever come after all. */
  gone: string[];
  late: boolean;
  /** The beginning of the last message; and of what was thought, for logs that take all that is said for a thought. */
  message: string;
  musing: string;
  /** What was said or thought since the last call or turn: a hash of its beginning, and its length. */
  thought: number;
  thoughtLength: number;
  /** How many prompts came since the last call. */
  talk: number;
  /** Counts the calls that were carried out, as far as can be seen. */
  accepted: number;
  prompts: Prompts;
  /** The call that was answered last, until the next call or prompt; and what the host shows after such results. */
  last: Pending | null;
  views: Views;
  /** Whether the host shows results of calls in prompts, and in no other way. */
  prompted: boolean;
  /** What the host writes around every result. */
  around: Surroundings;
}

/** A lane in which nothing has happened. */
export function freshState(): State {
  return {
    pending: [],
    remarks: 0,
    since: 0,
    spoken: false,
    bounded: false,
    inTurn: false,
    request: 0,
    answers: false,
    unanswered: 0,
    done: [],
    gone: [],
    late: false,
    message: '',
    musing: '',
    thought: startHash,
    thoughtLength: 0,
    talk: 0,
    accepted: 0,
    prompts: createPrompts(),
    last: null,
    views: createViews(),
    prompted: false,
    around: createSurroundings(),
  };
}

/** Throws when the saved value is not a valid state. */
export function loadState(saved: Json): State {
  checked(
    {
      ...freshState(),
      pending: [pendingLike],
      done: optional(['']),
      gone: [''],
      musing: optional(''),
      prompted: optional(false),
      around: optional(createSurroundings()),
      prompts: { last: null },
      views: optional({ ...createViews(), around: optional(createSurroundings()) }),
    },
    saved,
    'steps',
  );
  const state = saved as unknown as State;
  return {
    ...state,
    pending: state.pending.slice(-mostInTurn),
    done: (state.done ?? []).slice(-mostPending),
    gone: state.gone.slice(-mostPending),
    message: state.message.slice(0, longestMessage),
    musing: (state.musing ?? '').slice(0, longestMessage),
    prompts: loadPrompts(state.prompts),
    last: loadLast(state.last),
    views: loadViews(state.views),
    talk: state.talk ?? 0,
    prompted: state.prompted ?? false,
    around: state.around ?? createSurroundings(),
  };
}

/** The last call, which older snapshots do not have. */
function loadLast(last: unknown): Pending | null {
  if (last === null || last === undefined) return null;
  const { label, tool, callSeq, call, skeleton, words, sketch } = pendingLike;
  checked({ label, tool, callSeq, call, skeleton, words, sketch }, last, 'steps.last');
  return loadedCall(last as Parameters<typeof loadedCall>[0]);
}
