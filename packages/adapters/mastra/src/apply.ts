import { type Handlers, said } from '@loopfuse/session';

/** What the hook before a call answers: nothing lets it run, else the text is its result. */
export type CallAnswer = undefined | { readonly proceed: false; readonly output: string };

export const onCall: Handlers<CallAnswer> = {
  allow: () => undefined,
  steer: () => undefined, // the model sees the message with the next request
  escalate: () => undefined, // the next step is taken by the stronger model
  block: ({ message }) => ({ proceed: false, output: said(message) }),
  rewind: ({ note }) => ({ proceed: false, output: said(note) }),
  ask: ({ question }) => ({ proceed: false, output: said(question.message) }), // and the run ends with a tripwire
  stop: ({ reason }) => ({ proceed: false, output: said(reason) }), // and the run ends with a tripwire
};
