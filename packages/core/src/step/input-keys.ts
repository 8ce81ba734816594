import type { Json } from '../event.js';
import { addFolded, digest, startHash } from '../value/fingerprint.js';
import { isContent } from './content-keys.js';

export type JsonObject = { readonly [key: string]: Json };

/** Keys of text that the model writes for readers of its log: not part of what the call asks for. */
const cosmetic = new Set([
  'description',
  'explanation',
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'rationale',
  'justification',
  'brief',
  'comment',
  'note',
  'notes',
  'current_state',
  'evaluation_previous_goal',
  'memory',
  'next_goal',
]);
/** Keys whose value differs in each call, whatever the call asks for. */
const volatileKeys = new Set([
  'timestamp',
  'ts',
  'nonce',
  'uuid',
  'request_id',
  'requestId',
  'trace_id',
  'traceId',
  'correlation_id',
  'correlationId',
  'idempotency_key',
  'idempotencyKey',
  'call_id',
  'callId',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
]);
/** Keys that say what a call is about, the most informative first. */
const targetKeys = [
  'file_path',
  'filePath',
  'path',
  'file',
  'filename',
  'notebook_path',
  'url',
  'uri',
  'target',
  'command',
  'cmd',
  'code',
  'query',
  'pattern',
  'name',
  'id',
];
const substantive = [...targetKeys.slice(0, -2), 'action', 'actions'];

/** What is known about a key. Computed once, because the same few keys come again and again. */
export interface Traits {
  readonly hash: number;
  /** Why its value may not be part of what the call asks for. */
  readonly leftOut: 'cosmetic' | 'volatile' | undefined;
  readonly content: boolean;
  /** Its text is run by a shell or an interpreter. */
  readonly script: boolean;
  /** How well its text says what the call is about: the lower, the better. */
  readonly rank: number;
}

/** Higher than the rank of any key. */
export const leastTelling = targetKeys.length + 2;
/** Keys with a lower rank name a place. */
export const placeKeys = targetKeys.indexOf('target');
const memory = new Map<string, Traits>();
/** Longer keys are rare; they are not remembered, because that would keep them in memory. */
const longestKept = 120;

export function traitsOf(key: string): Traits {
  const known = memory.get(key);
  if (known) return known;
  const place = targetKeys.indexOf(key);
  const traits: Traits = {
    hash: digest(addFolded(startHash, key)),
    leftOut: cosmetic.has(key) ? 'cosmetic' : volatileKeys.has(key) ? 'volatile' : undefined,
    content: isContent(key),
    script: key === 'command' || key === 'cmd' || key === 'code',
    rank: place >= 0 ? place : cosmetic.has(key) ? leastTelling - 1 : leastTelling - 2,
  };
  if (key.length > longestKept) return traits;
  if (memory.size >= 1024) memory.clear();
  memory.set(key, traits);
  return traits;
}

/** Whether an input says what to do without its description, which then does not count: an issue has nothing else. */
export function asksByItself(object: JsonObject): boolean {
  return substantive.some((key) => typeof object[key] === 'string' || Array.isArray(object[key]));
}

/** The keys of an object: as they are given, and sorted, with what is known of each. */
export interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly traits: readonly Traits[];
}

/**
 * Most calls have the keys of a recent one: a shape stays in the slot that its keys lead to, until another takes it.
 */
const shapes: (Shape | undefined)[] = new Array<undefined>(64).fill(undefined);
/** Objects with more keys are data; the same keys hardly ever come again. */
const mostKept = 16;

export function shapeOf(object: JsonObject): Shape {
  const keys = Object.keys(object);
  const { length } = keys;
  const slot = length === 0 ? 0 : (length * 5 + keys[0]!.length * 11 + keys[length - 1]!.length) & (shapes.length - 1);
  const known = shapes[slot];
  if (known !== undefined && isSame(known.keys, keys)) return known;
  const sorted = keys.slice().sort();
  const shape: Shape = { keys, sorted, traits: sorted.map(traitsOf) };
  if (length <= mostKept && keys.every((key) => key.length <= longestKept)) shapes[slot] = shape;
  return shape;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let k = 0; k < some.length; k++) if (some[k] !== others[k]) return false;
  return true;
}
