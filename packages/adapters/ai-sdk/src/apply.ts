import { type Handlers, said } from '@loopfuse/session';

/** What the SDK's `toolApproval` is answered about a call; `undefined` leaves it to the host's own approval. */
export type Approval = undefined | { type: 'denied'; reason: string } | { type: 'user-approval'; reason: string };

/** What becomes of a call. A denied call gets the reason as its result, and the model goes on. */
export const onCall: Handlers<Approval> = {
  allow: () => undefined,
  steer: () => undefined, // the model sees the message with the next request
  escalate: () => undefined, // the next step is taken by the stronger model
  block: ({ message }) => ({ type: 'denied', reason: said(message) }),
  rewind: ({ note }) => ({ type: 'denied', reason: said(note) }),
  ask: ({ question }) => ({ type: 'user-approval', reason: question.message }),
  stop: ({ reason }) => ({ type: 'denied', reason }),
};
