import type { Decision, Question } from 'loopfuse';
import { said } from './edits.js';
import { type Handlers, handle } from './handlers.js';

/**
 * What happens to a tool call: it runs; it is refused, with the text as its result; or the user decides about it, and
 * the text is its result if the user declines or cannot be asked.
 */
export type CallAction =
  | { readonly type: 'run' }
  | { readonly type: 'refuse'; readonly text: string }
  | { readonly type: 'ask'; readonly question: Question; readonly text: string };

/** What a host that can refuse a call and ask the user about it does about a decision. */
export function callAction(decision: Decision): CallAction {
  return handle(onCall, decision);
}

const run: CallAction = { type: 'run' };

const onCall: Handlers<CallAction> = {
  allow: () => run,
  steer: () => run, // the model sees the message with the next request
  escalate: () => run, // a stronger model takes the next turn
  block: ({ message }) => ({ type: 'refuse', text: said(message) }),
  rewind: ({ note }) => ({ type: 'refuse', text: said(note) }),
  ask: ({ question }) => ({ type: 'ask', question, text: said(question.message) }),
  stop: ({ reason }) => ({ type: 'refuse', text: said(reason) }),
};
