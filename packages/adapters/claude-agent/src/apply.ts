import { type Handlers, said } from '@loopfuse/session';

/** The answer of a hook before a call, in the fields that the SDK reads. */
export interface CallAnswer {
  readonly continue?: false;
  readonly stopReason?: string;
  readonly permission?: { readonly decision: 'deny' | 'ask'; readonly reason: string };
}

const go: CallAnswer = {};

/** What happens to a call. A denied call gets the reason as its result, and the model continues. */
export const onCall: Handlers<CallAnswer> = {
  allow: () => go,
  steer: () => go, // the message is added to the context after the call
  escalate: () => go, // hooks cannot change the model for one turn: it gets a message instead
  block: ({ message }) => ({ permission: { decision: 'deny', reason: said(message) } }),
  rewind: ({ note }) => ({ permission: { decision: 'deny', reason: said(note) } }),
  ask: ({ question }) => ({ permission: { decision: 'ask', reason: question.message } }),
  stop: ({ reason }) => ({
    continue: false,
    stopReason: reason,
    permission: { decision: 'deny', reason: said(reason) },
  }),
};
