import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { modelTurns, type RequestView, sessionNamed } from '@loopfuse/wire';
import type { Delivery } from './deliver.js';

const maxConversations = 4096;

/** The place of a request in its conversation. */
export interface Visit {
  readonly conversation: string;
  readonly asked: number;
  leave(delivery: Delivery): void;
}

/**
 * Distinguishes conversations by their session, if the request has one, and by the first message of the user. Side
 * requests of a session, which offer no tools, are separate conversations. Two conversations without a session and with
 * the same first message cannot be distinguished while both are open. One after the other they can: a request without
 * history starts a new conversation, unless it repeats a request that was not answered completely.
 */
export function createConversations(): {
  enter(turn: RequestView, headers: IncomingHttpHeaders, body: unknown): Visit;
} {
  const known = new Map<string, { asked: number; whole: boolean }>();
  return {
    enter(turn, headers, body) {
      const first = turn.messages.find(({ role }) => role === 'user')?.text ?? '';
      const parts = [
        sessionNamed((name) => headerOf(headers, name), body),
        first,
        turn.tools.length > 0 ? 'tools' : 'plain',
      ];
      const conversation = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
      const before = known.get(conversation);
      const fresh = before === undefined || (modelTurns(turn.messages) === 0 && before.whole);
      const state = fresh ? { asked: 0, whole: false } : before;
      known.delete(conversation);
      known.set(conversation, state);
      if (known.size > maxConversations) known.delete(known.keys().next().value!);
      state.whole = false;
      return {
        conversation,
        asked: state.asked++,
        leave(delivery) {
          state.whole = delivery === 'whole';
        },
      };
    },
  };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
