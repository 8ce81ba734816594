import type { Json } from 'loopfuse';
import { fieldsOf, listOf, stringOf } from '../foreign.js';
import type { Note, RefusedCall } from '../wire.js';
import { callOf } from './call-of.js';
import { followedBy } from './items.js';

type Fields = { readonly [key: string]: Json };

export function historyLength(body: unknown): number {
  return inputOf(body).length;
}

/** A note is a separate item. If the provider keeps the history, that already has the earlier notes. */
export function withNotes(body: unknown, notes: readonly Note[]): Json {
  const input = inputOf(body);
  const kept = followedBy(body) !== '';
  const valid = notes.filter(
    ({ at }) => (kept ? at === input.length : at <= input.length) && !awaitsResult(input[at - 1]),
  );
  return {
    ...(body as Fields),
    input: [...input, undefined].flatMap((item, index): Json[] => [
      ...valid
        .filter(({ at }) => at === index)
        .map(({ text }) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })),
      ...(item === undefined ? [] : [item]),
    ]),
  };
}

/** Items of the answer go back unchanged, except for `status`, which only answers have. */
export function withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json {
  const custom = new Set(
    said.filter((item) => fieldsOf(item).type === 'custom_tool_call').map((item) => stringOf(fieldsOf(item).call_id)),
  );
  const results = refused.map(({ id, text }) => ({
    type: custom.has(id) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: id,
    output: text,
  }));
  const items = said.map((item) => {
    const { status: _, ...rest } = fieldsOf(item) as Fields;
    return rest;
  });
  return { ...(body as Fields), input: [...inputOf(body), ...items, ...results] };
}

function inputOf(body: unknown): readonly Json[] {
  const { input } = fieldsOf(body);
  return typeof input === 'string' ? [{ role: 'user', content: input }] : (listOf(input) as readonly Json[]);
}

function awaitsResult(item: Json | undefined): boolean {
  return item !== undefined && callOf(item) !== undefined;
}
