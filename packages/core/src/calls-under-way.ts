import type { EventOf } from './event.js';
import { shortKey } from './value/short-key.js';

/** What a guard remembers of calls until their results arrive, by `keyOf`. */
export interface CallsUnderWay {
  /** Calls whose results are still to come. */
  readonly outstanding: Set<string>;
  /** Calls that were under way when the model was last steered: their results do not show whether it followed. */
  readonly stale: Set<string>;
  /** Calls that were refused: the result that the host gives them is our message, and never evidence. */
  readonly refused: Set<string>;
}

/** The call is carried out. An earlier call with the same id is forgotten. */
export function beginCall({ outstanding, stale, refused }: CallsUnderWay, key: string): void {
  stale.delete(key);
  refused.delete(key);
  keepKey(outstanding, key);
}

/** Ends a call, and returns whether its result is stale. */
export function endCall({ outstanding, stale }: CallsUnderWay, key: string): boolean {
  outstanding.delete(key);
  return stale.delete(key);
}

/** The model got a message: it requested the calls that are under way now before that. */
export function markStale({ outstanding, stale }: CallsUnderWay): void {
  stale.clear();
  for (const key of outstanding) stale.add(key);
}

/** The key of a call: its id with its lane, because two agents may use the same ids. Empty if they are not strings. */
export function keyOf({ id, lane }: EventOf<'tool-call' | 'tool-result'>): string {
  if (typeof id !== 'string' || (lane !== undefined && typeof lane !== 'string')) return '';
  return shortKey(lane ? `${lane}\n${id}` : id);
}

const mostKept = 64;

/** Adds a key to a set that stays small, even if some results never come: the oldest key is dropped. */
export function keepKey(keys: Set<string>, key: string): void {
  const [oldest] = keys;
  if (keys.size >= mostKept && oldest !== undefined) keys.delete(oldest);
  keys.add(key);
}

/** A set read back from a snapshot; empty if the snapshot has none. */
export function loadKeys(saved: unknown): Set<string> {
  return new Set(Array.isArray(saved) ? saved.filter((key) => typeof key === 'string').slice(-mostKept) : []);
}
