import type { AnswerReader, AnswerWriter } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { type DeliveredCall, endAnswer } from './answer-end.js';
import type { Turn } from './turn.js';

/** What is known of one answer of the upstream while it arrives. */
export interface AnswerWatch {
  readonly reader: AnswerReader;
  readonly writer: AnswerWriter;
  /** Events for usage and the end of the turn. */
  readonly closing: AgentEvent[];
  /** Calls that were passed on to the client. */
  readonly delivered: DeliveredCall[];
  /** Records the end in the session, once. Clients may leave as soon as the answer is complete, or earlier. */
  end(whole: boolean, events?: readonly AgentEvent[]): Promise<void>;
}

export function watchAnswer(turn: Turn, writer: AnswerWriter, nth: number): AnswerWatch {
  let unnamed = 0;
  let ended = false;
  const closing: AgentEvent[] = [];
  const delivered: DeliveredCall[] = [];
  return {
    reader: turn.wire.readAnswer({ nameCall: () => `${turn.context.id}-${nth}-${unnamed++}`, onId: turn.onId }),
    ...{ writer, closing, delivered },
    async end(whole, events = closing) {
      if (ended) return;
      ended = true;
      await endAnswer(turn, events, delivered, whole);
    },
  };
}

export function isClosing({ type }: AgentEvent): boolean {
  return type === 'usage' || type === 'turn-end';
}
