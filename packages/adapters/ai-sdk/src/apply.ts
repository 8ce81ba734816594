import { type Handlers, said } from '@loopfuse/session';

/** The answer to the SDK's `toolApproval` for a call; `undefined` leaves it to the host's own approval. */
export type Approval = undefined | { type: 'denied'; reason: string } | { type: 'user-approval'; reason: string };

/** What happens to a call. A denied call gets the reason as its result, and the model continues. */
export const onCall: Handlers<Approval> = {
  allow: () => undefined,
  steer: () => undefined, // the model sees the message with the next request
  escalate: () => undefined, // the next step is taken by the stronger model
  block: ({ message }) => ({ type: 'denied', reason: said(message) }),
  rewind: ({ note }) => ({ type: 'denied', reason: said(note) }),
  ask: ({ question }) => ({ type: 'user-approval', reason: question.message }),
  stop: ({ reason }) => ({ type: 'denied', reason }),
};
