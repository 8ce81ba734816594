import type { EventOf } from './event.js';
import { shortKey } from './value/short-key.js';

/** What a guard remembers of calls until their results come, by `keyOf`. */
export interface CallsUnderWay {
  /** Calls whose results are still to come. */
  readonly outstanding: Set<string>;
  /** Those that were under way when the model was last steered: their results say nothing about whether it listened. */
  readonly stale: Set<string>;
  /** Calls that were refused: the result the host gives them is a message of ours, and never evidence. */
  readonly refused: Set<string>;
}

/** The call is carried out. Whatever had its id before is over. */
export function beginCall({ outstanding, stale, refused }: CallsUnderWay, key: string): void {
  stale.delete(key);
  refused.delete(key);
  keepKey(outstanding, key);
}

/** Ends a call, and tells whether its result is stale. */
export function endCall({ outstanding, stale }: CallsUnderWay, key: string): boolean {
  outstanding.delete(key);
  return stale.delete(key);
}

/** The model was told something: what is under way now, it asked for before. */
export function markStale({ outstanding, stale }: CallsUnderWay): void {
  stale.clear();
  for (const key of outstanding) stale.add(key);
}

/** A call is known by its id within its lane: two agents may count their calls alike. What is no text is not kept. */
export function keyOf({ id, lane }: EventOf<'tool-call' | 'tool-result'>): string {
  if (typeof id !== 'string' || (lane !== undefined && typeof lane !== 'string')) return '';
  return shortKey(lane ? `${lane}\n${id}` : id);
}

const mostKept = 64;

/** Adds a key to a set that stays small, whatever never comes back. */
export function keepKey(keys: Set<string>, key: string): void {
  const [oldest] = keys;
  if (keys.size >= mostKept && oldest !== undefined) keys.delete(oldest);
  keys.add(key);
}

/** A set read back from a snapshot; an empty one where that has none. */
export function loadKeys(saved: unknown): Set<string> {
  return new Set(Array.isArray(saved) ? saved.filter((key) => typeof key === 'string').slice(-mostKept) : []);
}
