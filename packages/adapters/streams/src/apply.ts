import { type Handlers, said } from '@loopfuse/session';

/** The result of a call that must not run; `undefined` where it may. */
export const onCall: Handlers<string | undefined> = {
  allow: () => undefined,
  steer: () => undefined, // the model sees the message with the next request
  escalate: () => undefined, // the next request goes to the stronger model
  block: ({ message }) => said(message),
  rewind: ({ note }) => said(note),
  ask: ({ question }) => said(question.message),
  stop: ({ reason }) => said(reason),
};
