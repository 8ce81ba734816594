import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { modelTurns, type RequestView, sessionNamed } from '@loopfuse/wire';
import type { Delivery } from './deliver.js';

const maxConversations = 4096;

/** One request's place among those of its conversation. */
export interface Visit {
  readonly conversation: string;
  readonly asked: number;
  leave(delivery: Delivery): void;
}

/**
 * Keeps conversations apart by the session they name and by the first message of the user; a session's side requests,
 * which offer no tools, are conversations of their own. Two conversations that name no session and begin with the same
 * words cannot be distinguished while both are under way; one after the other they can: a request without history starts
 * again, unless it repeats one that was not answered whole.
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
