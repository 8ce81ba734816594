import type { Decision, Question } from 'loopfuse';
import { said } from './edits.js';
import { type Handlers, handle } from './handlers.js';

/**
 * What becomes of a tool call before it runs: it runs, it is refused with the text as its result, or a person decides
 * about it, and the text is its result if they refuse or cannot be asked.
 */
export type CallAction =
  | { readonly type: 'run' }
  | { readonly type: 'refuse'; readonly text: string }
  | { readonly type: 'ask'; readonly question: Question; readonly text: string };

/** What a host that can refuse a call, and ask a person about it, does about a decision. */
export function callAction(decision: Decision): CallAction {
  return handle(onCall, decision);
}

const run: CallAction = { type: 'run' };

const onCall: Handlers<CallAction> = {
  allow: () => run,
  steer: () => run, // the model sees the message with the next request
  escalate: () => run, // the next turn is taken by the stronger model
  block: ({ message }) => ({ type: 'refuse', text: said(message) }),
  rewind: ({ note }) => ({ type: 'refuse', text: said(note) }),
  ask: ({ question }) => ({ type: 'ask', question, text: said(question.message) }),
  stop: ({ reason }) => ({ type: 'refuse', text: said(reason) }),
};
