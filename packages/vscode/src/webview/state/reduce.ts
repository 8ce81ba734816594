import {
  attachmentInWords,
  type Conversation,
  type FaceEvent,
  fromHistory,
  type Known,
  notShown,
  reduce as reduceConversation,
} from '@loopfuse/conversation';
import type { Choice } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { Facts, ToView } from '../../protocol/index.js';
import { changedItems, changesInWords, withAnnouncements } from './announcements.js';
import { startState, type ViewState } from './view-state.js';

/** An action of the user that changes the page before the host answers. */
export type PageAction =
  | { readonly type: 'stopping' }
  | { readonly type: 'loop-choice'; readonly choice: Choice; readonly hint?: string | undefined }
  | { readonly type: 'approval-answer'; readonly id: number }
  /** Chose one of the ideas in the empty conversation. */
  | { readonly type: 'idea'; readonly text: string }
  /** An invalid message was received. */
  | { readonly type: 'not-understood'; readonly message: string };

/** The state after an input. Pure and total: what it cannot handle becomes a note and a problem. */
export function reduce(before: ViewState, input: ToView | PageAction): ViewState {
  const state = before.problems.length === 0 ? before : { ...before, problems: [] };
  try {
    return onInput(state, input);
  } catch (fault) {
    return problem(state, `a message ${JSON.stringify(input.type)} could not be read: ${messageOf(fault)}`);
  }
}

function onInput(state: ViewState, input: ToView | PageAction): ViewState {
  switch (input.type) {
    case 'conversation':
      return conversation(state, input);
    case 'events':
      return shows(state, input.events.reduce(reduceConversation, state.conversation));
    case 'started':
      return { ...happens(state, input), cut: false };
    case 'settled':
    case 'approval':
    case 'approval-gone':
    case 'loop-answered':
    case 'loop-choice-failed':
    case 'note':
    case 'stopping':
    case 'loop-choice':
      return happens(state, input);
    case 'approval-answer':
      return happens(state, { type: 'approval-gone', id: input.id });
    case 'facts':
      return { ...happens(state, { type: 'known', known: knownIn(input.facts) }), facts: input.facts };
    case 'attached':
      return withAttached(state, input.attached);
    case 'sessions':
      return { ...state, sessions: input.sessions };
    case 'compose':
    case 'idea':
      return { ...state, compose: { text: input.text, times: state.compose.times + 1 } };
    case 'not-understood':
      return problem(state, input.message);
    default:
      return problem(state, unknownMessage(input));
  }
}

/** New attachments are read out. */
function withAttached(state: ViewState, attached: ViewState['attached']): ViewState {
  const fresh = attached.filter(({ id }) => !state.attached.some((one) => one.id === id));
  const words = fresh.map((one) => `Attached: ${attachmentInWords(one)}`);
  return { ...state, attached, announced: withAnnouncements(state.announced, words) };
}

/** Shows what the page cannot handle, and reports it to the host's log. */
function problem(state: ViewState, message: string): ViewState {
  return shows(state, notShown(state.conversation, message));
}

/** Unreachable as long as every kind of message is handled: a new one does not compile until it is. */
function unknownMessage(input: never): string {
  return `a message of an unknown kind: ${JSON.stringify((input as { type?: unknown }).type)}`;
}

function happens(state: ViewState, event: FaceEvent): ViewState {
  return shows(state, reduceConversation(state.conversation, event));
}

/** The state with a new conversation, with its announcements, and its faults as problems. */
function shows(state: ViewState, now: Conversation): ViewState {
  const { conversation: before } = state;
  if (now === before) return state;
  const faults = changedItems(before, now).flatMap(({ item }) =>
    item.type === 'note' && item.about === 'fault' ? [item.text] : [],
  );
  return {
    ...state,
    conversation: now,
    announced: withAnnouncements(state.announced, changesInWords(before, now)),
    problems: faults.length === 0 ? state.problems : [...state.problems, ...faults],
  };
}

function conversation(state: ViewState, input: Extract<ToView, { type: 'conversation' }>): ViewState {
  const { sessionId, history, facts, halted, cut = false, attached = [] } = input;
  return {
    ...startState,
    conversation: fromHistory({ history, halted }, knownIn(facts)),
    shown: state.shown + 1,
    sessionId,
    facts,
    cut,
    attached,
    sessions: state.sessions,
    compose: state.compose,
    announced: state.announced.slice(-1), // keeps the count of keys
  };
}

function knownIn({ guard, usage, judge, price }: Facts): Known {
  return { guard, usage, judge, price };
}
