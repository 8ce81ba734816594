import type { Json } from 'loopfuse';
import { fieldsOf, listOf } from '../foreign.js';
import type { Note, RefusedCall } from '../wire.js';

type Fields = { readonly [key: string]: Json };

export function historyLength(body: unknown): number {
  return listOf(fieldsOf(body).messages).length;
}

/**
 * A note becomes one more text at the end of the user message at its place, after everything the provider has cached.
 * After a system message it becomes a separate message.
 */
export function withNotes(body: unknown, notes: readonly Note[]): Json {
  const messages = listOf(fieldsOf(body).messages) as readonly Fields[];
  return {
    ...(body as Fields),
    messages: messages.flatMap((message, index): Json[] => {
      const blocks = notes.filter(({ at }) => at === index + 1).map(({ text }) => ({ type: 'text', text }));
      if (blocks.length === 0 || message.role === 'assistant') return [message];
      if (message.role !== 'user') return [message, { role: 'user', content: blocks }];
      return [{ ...message, content: [...blocksOf(message.content), ...blocks] }];
    }),
  };
}

export function withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json {
  const results = refused.map(({ id, text }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: text,
    is_error: true,
  }));
  const messages = [...(listOf(fieldsOf(body).messages) as Json[]), ...said, { role: 'user', content: results }];
  return { ...(body as Fields), messages };
}

function blocksOf(content: Json | undefined): readonly Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly Json[]) : [];
}
