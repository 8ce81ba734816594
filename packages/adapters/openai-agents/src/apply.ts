import { type Handlers, said } from '@loopfuse/session';

/** What a tool guardrail answers about a call. A rejected call gets the message as its result, and the model goes on. */
export type Behavior = { type: 'allow' } | { type: 'rejectContent'; message: string };

const allowed: Behavior = { type: 'allow' };

export const onCall: Handlers<Behavior> = {
  allow: () => allowed,
  steer: () => allowed, // the model sees the message with the next request
  escalate: () => allowed, // the next turn is taken by the stronger model
  ask: () => allowed, // the tool's `needsApproval` has put it to the person before
  block: ({ message }) => ({ type: 'rejectContent', message: said(message) }),
  rewind: ({ note }) => ({ type: 'rejectContent', message: said(note) }),
  stop: ({ reason }) => ({ type: 'rejectContent', message: said(reason) }),
};
