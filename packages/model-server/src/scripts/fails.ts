import type { ReplyFault, Script } from '../reply.js';
import { plainAnswer } from './plain-answer.js';

export interface FaultOptions {
  /** The number of requests of a conversation with the fault; by default all. */
  readonly times?: number;
  /** What the model does after these requests. */
  readonly afterwards?: Script;
}

export type FailsOptions = FaultOptions & Omit<Extract<ReplyFault, { type: 'refuse' }>, 'type' | 'status'>;

/** Answers with an HTTP status, in the provider's own form. */
export function fails(status: number, { times, afterwards, ...more }: FailsOptions = {}): Script {
  return atFirst({ type: 'refuse', status, ...more }, times, afterwards);
}

/** The fault for the first `times` requests of a conversation, then none; the parts are always those of the script. */
export function atFirst(fault: ReplyFault, times = Number.POSITIVE_INFINITY, afterwards: Script = plainAnswer): Script {
  return async (turn) => {
    if (fault.type === 'refuse' && turn.asked < times) return { fault };
    const reply = await afterwards(turn);
    return turn.asked < times ? { ...reply, fault } : reply;
  };
}
