import type { ClientEvent } from '@loopfuse/agent';
import type { Choice } from 'loopfuse';
import type { ToView } from '../../protocol/index.js';
import { historyItems, sentBefore } from './history-items.js';
import type { ItemOf } from './item.js';
import { haltCard, notify, onClientEvent, problem } from './on-client-event.js';
import { add, changeLatest, finish, say } from './transcript.js';
import { startState, type ViewState } from './view-state.js';

/** What the person has done on the page, as far as it changes what is shown before the host says anything. */
export type Deed =
  | { readonly type: 'stopping' }
  | { readonly type: 'loop-choice'; readonly choice: Choice; readonly hint?: string | undefined }
  | { readonly type: 'approval-answer'; readonly id: number }
  /** Took up one of the ideas that are offered before anything has been said. */
  | { readonly type: 'idea'; readonly text: string }
  /** Something came that is no message of ours. */
  | { readonly type: 'not-understood'; readonly message: string };

/** The state after an input. Pure, and total: what it cannot handle becomes a note and a problem. */
export function reduce(before: ViewState, input: ToView | Deed): ViewState {
  const state = before.problems.length === 0 ? before : { ...before, problems: [] };
  try {
    return onInput(state, input);
  } catch (fault) {
    return problem(state, `a message ${JSON.stringify(input.type)} could not be read: ${wordsOf(fault)}`);
  }
}

function onInput(state: ViewState, input: ToView | Deed): ViewState {
  switch (input.type) {
    case 'conversation':
      return conversation(state, input);
    case 'started':
      return started(state, input.text);
    case 'events':
      return input.events.reduce(onEvent, state);
    case 'settled':
      return { ...finish(state), phase: 'idle', approvals: [] };
    case 'approval': {
      const { id, request } = input;
      const others = state.approvals.filter((one) => one.id !== id);
      return say(
        { ...state, approvals: [...others, { id, request }] },
        `May ${request.call.tool} run? ${request.title}`,
      );
    }
    case 'approval-gone':
    case 'approval-answer':
      return { ...state, approvals: state.approvals.filter(({ id }) => id !== input.id) };
    case 'loop-answered':
      return answered(state, input.choice);
    case 'loop-cost': {
      const { cost } = input;
      return changeLatest(state, 'loop', (item) => ({ ...item, report: { ...item.report, cost } }));
    }
    case 'facts':
      return { ...state, facts: input.facts };
    case 'sessions':
      return { ...state, sessions: input.sessions };
    case 'note':
      return notify(input.tone === 'plain' || input.tone === 'good' ? state : askAgain(state), input.text, input.tone);
    case 'compose':
    case 'idea':
      return { ...state, compose: { text: input.text, times: state.compose.times + 1 } };
    case 'stopping':
      return state.phase === 'working' ? { ...state, phase: 'stopping' } : state;
    case 'loop-choice': {
      const { choice, hint } = input;
      return changeLatest(state, 'loop', (item) => {
        return { ...item, state: 'sent', choice, ...(hint === undefined ? {} : { hint }) };
      });
    }
    case 'not-understood':
      return problem(state, input.message);
    default:
      return problem(state, `a message of an unknown kind: ${JSON.stringify((input as never as ToView).type)}`);
  }
}

/** One broken event does not take those after it along. */
function onEvent(state: ViewState, event: ClientEvent): ViewState {
  try {
    return onClientEvent(state, event);
  } catch (fault) {
    return problem(state, `an event ${JSON.stringify(event.type)} could not be read: ${wordsOf(fault)}`);
  }
}

function conversation(state: ViewState, input: Extract<ToView, { type: 'conversation' }>): ViewState {
  const { sessionId, history, facts, halted, cut = false } = input;
  const items = historyItems(history).map((item, k) => ({ key: state.next + k, ...item }));
  const fresh: ViewState = {
    ...startState,
    sessionId,
    facts,
    items,
    cut,
    sent: sentBefore(history),
    sessions: state.sessions,
    compose: state.compose,
    next: state.next + items.length,
  };
  if (halted === undefined) return fresh;
  const calls = items.flatMap((item) => (item.type === 'tool' ? [[item.call.tool, item.call] as const] : []));
  return add(fresh, { type: 'loop', ...haltCard(halted, [...new Map(calls).values()]) });
}

function started(state: ViewState, text: string | undefined): ViewState {
  const asked = openLoop(state);
  const choice = asked?.choice ?? (text === undefined ? 'continue' : 'stop');
  const settled = finish(asked === undefined ? state : answered(state, choice));
  const begun: ViewState = { ...settled, phase: 'working', cut: false, calls: [], approvals: [] };
  if (text === undefined) return begun;
  return { ...add(begun, { type: 'you', text }), sent: [...begun.sent, text] };
}

/** The loop that waits for an answer, or whose answer is on its way. */
export function openLoop({ items }: Pick<ViewState, 'items'>): ItemOf<'loop'> | undefined {
  const last = items.findLast((item) => item.type === 'loop');
  return last?.state === 'answered' ? undefined : last;
}

function answered(state: ViewState, choice: string): ViewState {
  return changeLatest(state, 'loop', (item) => {
    return item.state === 'answered' ? undefined : { ...item, state: 'answered', choice };
  });
}

/** An answer that could not be carried out was none: the note says why. */
function askAgain(state: ViewState): ViewState {
  return changeLatest(state, 'loop', (item) => (item.state === 'sent' ? { ...item, state: 'asked' } : undefined));
}

function wordsOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
