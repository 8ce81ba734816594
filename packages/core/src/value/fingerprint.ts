import { encodeUtf8 } from './utf8.js';

/**
 * Two running 32-bit hashes, FNV-1a and a second multiplicative one, which together give a fingerprint of 53 bits: a
 * number that JSON carries exactly. Not for adversaries; for telling equal from different.
 */
export interface Hash {
  a: number;
  b: number;
}

export function startHash(): Hash {
  return { a: 0x811c9dc5 | 0, b: 0x2545f491 }; // integers of 32 bits throughout: a float would cost on every access
}

export function addCode(hash: Hash, code: number): void {
  hash.a = Math.imul(hash.a ^ code, 0x01000193);
  hash.b = Math.imul(hash.b + code, 0x9e3779b1) ^ (hash.b >>> 13);
}

/** Adds text in which a run of white space counts as one space, and white space at the ends not at all. */
export function addFolded(hash: Hash, text: string): void {
  let { a, b } = hash;
  let gap = false;
  let begun = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 160) {
      gap = begun;
      continue;
    }
    if (gap) {
      a = Math.imul(a ^ 32, 0x01000193);
      b = Math.imul(b + 32, 0x9e3779b1) ^ (b >>> 13);
      gap = false;
    }
    begun = true;
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x9e3779b1) ^ (b >>> 13);
  }
  hash.a = a;
  hash.b = b;
}

/** Adds text as it stands: for long contents, where speed counts and cosmetics do not. */
export function addRaw(hash: Hash, text: string): void {
  let a = hash.a | 0;
  let b = hash.b | 0;
  for (let from = 0; from < text.length; from += blockLength) {
    const length = encodeUtf8(text.length > blockLength ? text.slice(from, from + blockLength) : text, bytes);
    const words = (length + 7) >> 3;
    bytes.fill(0, length, words << 3);
    for (let i = 0; i < words << 1; i += 2) {
      a = Math.imul(a ^ block[i]!, 0x85ebca6b);
      b = Math.imul(b ^ block[i + 1]!, 0xc2b2ae35);
      a ^= b >>> 15;
      b ^= a >>> 13;
    }
    a = Math.imul(a ^ length, 0x01000193);
  }
  hash.a = a;
  hash.b = b;
}

// A scratch pad, written before it is read in every call: no state lives here between two.
const blockLength = 16_384;
const bytes = new Uint8Array(blockLength * 3);
const block = new Uint32Array(bytes.buffer);

export function digest({ a, b }: Hash): number {
  const high = Math.imul(a ^ (a >>> 15), 0x85ebca6b);
  const low = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  return ((high ^ (high >>> 16)) >>> 0) * 0x200000 + ((low ^ (low >>> 16)) >>> 11);
}

/** The fingerprint of a text: white space folded in a short one, a long one as it stands. */
export function fingerprint(text: string): number {
  const hash = startHash();
  if (text.length > 1024) addRaw(hash, text);
  else addFolded(hash, text);
  return digest(hash);
}
