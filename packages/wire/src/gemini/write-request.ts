import type { Json } from 'loopfuse';
import { fieldsOf, isObject, listOf, stringOf } from '../foreign.js';
import type { Note, RefusedCall } from '../wire.js';

type Fields = { readonly [key: string]: Json };

export function historyLength(body: unknown): number {
  return listOf(fieldsOf(body).contents).length;
}

/** A note is a separate content: a turn of function responses must have as many parts as the calls before it. */
export function withNotes(body: unknown, notes: readonly Note[]): Json {
  const contents = listOf(fieldsOf(body).contents) as readonly Fields[];
  const valid = notes.filter(({ at }) => at <= contents.length && contents[at - 1]?.role !== 'model');
  return {
    ...(body as Fields),
    contents: [...contents, undefined].flatMap((content, index): Json[] => [
      ...valid.filter(({ at }) => at === index).map(({ text }) => ({ role: 'user', parts: [{ text }] })),
      ...(content === undefined ? [] : [content]),
    ]),
  };
}

/** Responses answer the calls one by one, in their order; they have an id if the call had one. */
export function withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json {
  const calls = said
    .flatMap((content) => listOf(fieldsOf(content).parts))
    .flatMap((part) => {
      const { functionCall } = fieldsOf(part);
      return isObject(functionCall) ? [functionCall] : [];
    });
  const parts = calls.map(({ id, name }, nth) => ({
    functionResponse: {
      ...(typeof id === 'string' ? { id } : {}),
      name: stringOf(name),
      response: { error: refused[nth]?.text ?? refused.at(-1)?.text ?? '' },
    },
  }));
  const contents = [...(listOf(fieldsOf(body).contents) as Json[]), ...said, { role: 'user', parts }];
  return { ...(body as Fields), contents };
}
