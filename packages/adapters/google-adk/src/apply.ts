import { type Handlers, said } from '@loopfuse/session';

/** What becomes of a call: it runs, the text is its result, or a person is asked to confirm it. */
export type CallAction =
  | { readonly type: 'run' }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'confirm'; readonly hint: string };

const run: CallAction = { type: 'run' };

export const onCall: Handlers<CallAction> = {
  allow: () => run,
  steer: () => run, // the model sees the message with the next request
  escalate: () => run, // the next turn is taken by the stronger model
  block: ({ message }) => ({ type: 'answer', text: said(message) }),
  rewind: ({ note }) => ({ type: 'answer', text: said(note) }),
  ask: ({ question }) => ({ type: 'confirm', hint: question.message }),
  stop: ({ reason }) => ({ type: 'answer', text: said(reason) }),
};
