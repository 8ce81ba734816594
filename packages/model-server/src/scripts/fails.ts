import type { ReplyFault, Script } from '../reply.js';
import { plainAnswer } from './plain-answer.js';

export interface FaultOptions {
  /** How many requests of a conversation go wrong before the model works; all of them by default. */
  readonly times?: number;
  /** What the model does when it works. */
  readonly afterwards?: Script;
}

export type FailsOptions = FaultOptions & Omit<Extract<ReplyFault, { type: 'refuse' }>, 'type' | 'status'>;

/** Answers with an HTTP status, in the provider's own shape. */
export function fails(status: number, { times, afterwards, ...more }: FailsOptions = {}): Script {
  return atFirst({ type: 'refuse', status, ...more }, times, afterwards);
}

/** The fault for so many requests of a conversation, then the script; the parts are the script's in any case. */
export function atFirst(fault: ReplyFault, times = Number.POSITIVE_INFINITY, afterwards: Script = plainAnswer): Script {
  return async (turn) => {
    if (fault.type === 'refuse' && turn.asked < times) return { fault };
    const reply = await afterwards(turn);
    return turn.asked < times ? { ...reply, fault } : reply;
  };
}
