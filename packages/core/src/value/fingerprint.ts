import { encodeUtf8 } from './utf8.js';

/**
 * Fingerprints are integers of 32 bits: FNV-1a with a finish. They are compared within windows of a few dozen calls,
 * and a loop takes several equal rounds, so that a chance collision does not matter; and engines handle small integers
 * best. They tell equal from different, and are no protection against an attacker.
 */
export const startHash = 0x811c9dc5 | 0;

export function addCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Adds text in which a run of white space counts as one space, and white space at the ends not at all. */
export function addFolded(hash: number, text: string): number {
  let gap = false;
  let begun = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 160) {
      gap = begun;
      continue;
    }
    if (gap) {
      hash = Math.imul(hash ^ 32, 0x01000193);
      gap = false;
    }
    begun = true;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

/** Adds text unchanged: for long contents, where speed matters more than differences in white space. */
export function addRaw(hash: number, text: string): number {
  for (let from = 0; from < text.length; from += blockLength) {
    const length = encodeUtf8(text.length > blockLength ? text.slice(from, from + blockLength) : text, bytes);
    const words = (length + 3) >> 2;
    bytes.fill(0, length, words << 2);
    for (let i = 0; i < words; i++) {
      hash = Math.imul(hash ^ block[i]!, 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ length, 0x01000193);
  }
  return hash;
}

// A buffer that every call writes before it reads it: it holds no state between two calls.
const blockLength = 16_384;
const bytes = new Uint8Array(blockLength * 3);
const block = new Uint32Array(bytes.buffer);

/** The finish of MurmurHash3: every bit of the hash affects every bit of the fingerprint. */
export function digest(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The fingerprint of a text. White space is folded in a short text; a long text is hashed unchanged. */
export function fingerprint(text: string): number {
  return digest(text.length > 1024 ? addRaw(startHash, text) : addFolded(startHash, text));
}
