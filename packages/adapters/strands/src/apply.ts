import { type Handlers, said } from '@loopfuse/session';

/** What becomes of a call: it runs, it is cancelled with the text as its result, or a person is asked about it. */
export type CallAction =
  | { readonly type: 'run' }
  | { readonly type: 'cancel'; readonly text: string }
  | { readonly type: 'interrupt'; readonly reason: string };

const run: CallAction = { type: 'run' };

export const onCall: Handlers<CallAction> = {
  allow: () => run,
  steer: () => run, // the model sees the message with the next request
  escalate: () => run, // the next turn is taken by the stronger model
  block: ({ message }) => ({ type: 'cancel', text: said(message) }),
  rewind: ({ note }) => ({ type: 'cancel', text: said(note) }),
  ask: ({ question }) => ({ type: 'interrupt', reason: question.message }),
  stop: ({ reason }) => ({ type: 'cancel', text: said(reason) }),
};
