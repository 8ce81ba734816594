import type { Json } from 'loopfuse';
import { fieldsOf, isObject, listOf } from '../foreign.js';
import type { Note, RefusedCall } from '../wire.js';

type Fields = { readonly [key: string]: Json };

export function historyLength(body: unknown): number {
  return listOf(fieldsOf(body).messages).length;
}

/** A note is a separate message in the role of the user, because providers treat later system messages differently. */
export function withNotes(body: unknown, notes: readonly Note[]): Json {
  const messages = listOf(fieldsOf(body).messages) as readonly Fields[];
  const valid = notes.filter(({ at }) => at <= messages.length && !awaitsResults(messages[at - 1]));
  return {
    ...(body as Fields),
    messages: [...messages, undefined].flatMap((message, index): Json[] => [
      ...valid.filter(({ at }) => at === index).map(({ text }) => ({ role: 'user', content: text })),
      ...(message === undefined ? [] : [message]),
    ]),
  };
}

export function withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json {
  const isLegacy = said.some((message) => isObject(fieldsOf(message).function_call));
  const results = refused.map(({ id, tool, text }) =>
    isLegacy ? { role: 'function', name: tool, content: text } : { role: 'tool', tool_call_id: id, content: text },
  );
  return { ...(body as Fields), messages: [...(listOf(fieldsOf(body).messages) as Json[]), ...said, ...results] };
}

function awaitsResults(message: Fields | undefined): boolean {
  if (message?.role !== 'assistant') return false;
  return listOf(message.tool_calls).length > 0 || isObject(message.function_call);
}
