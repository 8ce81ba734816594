import type { Json } from '../event.js';
import { addRaw, digest, startHash } from '../value/fingerprint.js';
import { newTextKeys, oldTextKeys, wholeTextKeys } from './content-keys.js';
import { unwrapped } from './identity.js';

/** What an edit replaces by what, as fingerprints; `from` is 0 where a whole file is written. */
export interface Change {
  readonly from: number;
  readonly to: number;
}

/** Reads a change out of the input of a tool that writes; undefined where it does not show. */
export function changeOf(given: Json): Change | undefined {
  const input = unwrapped(given);
  const to = textAt(input, newTextKeys);
  const from = textAt(input, oldTextKeys);
  if (to !== undefined && from !== undefined) return { from: exactly(from), to: exactly(to) };
  const content = textAt(input, wholeTextKeys);
  return content === undefined ? undefined : { from: 0, to: exactly(content) };
}

/** White space and all: an edit of indentation is an edit. */
function exactly(text: string): number {
  return digest(addRaw(startHash, text));
}

function textAt(input: Json, keys: readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  for (const key of keys) {
    const value = (input as { readonly [key: string]: Json })[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
