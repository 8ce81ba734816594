import type { Place } from '../conversation.js';
import { fieldsOf, isObject, listOf, stringOf } from '../foreign.js';

/** The history of a request: its input, in which all references are looked up. */
export interface Items {
  readonly items: readonly unknown[];
  /** References for which nothing was found. */
  readonly missing: readonly string[];
}

/** What a request goes on from: an answer or a conversation; empty if the request brings its whole history. */
export function followedBy(body: unknown): string {
  const { previous_response_id, conversation } = fieldsOf(body);
  return stringOf(previous_response_id) || stringOf(conversation) || stringOf(fieldsOf(conversation).id);
}

export function itemsOf(body: unknown, { stored = () => undefined }: Place): Items {
  const { input, previous_response_id } = fieldsOf(body);
  const missing: string[] = [];
  const lookUp = (id: string) => {
    const found = stored(id);
    if (found === undefined) missing.push(id);
    return found ?? [];
  };
  const earlier = typeof previous_response_id === 'string' ? lookUp(previous_response_id) : [];
  const own = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
  return {
    items: [...earlier, ...own.flatMap((item) => (isReference(item) ? lookUp(stringOf(fieldsOf(item).id)) : [item]))],
    missing,
  };
}

/** An item may be referred to by its id only, and even without a `type`. */
function isReference(item: unknown): boolean {
  if (!isObject(item) || typeof item.id !== 'string') return false;
  return item.type === 'item_reference' || Object.keys(item).length === 1;
}
