/**
 * A one-permutation MinHash of the words of a text: eight buckets of six bits. The share of buckets in which two
 * sketches agree estimates how many words the texts have in common, at the price of one hash per word.
 */
export type Sketch = Uint8Array;

const buckets = 8;
const empty = 63;
/** What stands beyond is the same text's tail; the head tells enough. */
const longest = 1024;

// One pad for all: a sketch is started, filled and packed within one call, and typed arrays are dear to make.
const pad = new Uint8Array(buckets);

export function startSketch(): Sketch {
  return pad.fill(empty);
}

/** Adds the words of a text. Numbers count as one word: near-equal inputs often differ in a line number alone. */
export function addWords(sketch: Sketch, text: string): void {
  const end = Math.min(text.length, longest);
  let word = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) | 32 : 0;
    const letter = (code >= 97 && code <= 122) || code > 127;
    const digit = code >= 48 && code <= 57;
    if (letter) word = Math.imul(word ^ code, 0x01000193) + 0x1b873593;
    else if (digit) word = Math.imul(word ^ 48, 1) | 1;
    else if (word !== 0) {
      const mixed = Math.imul(word ^ (word >>> 15), 0x85ebca6b) >>> 0;
      const bucket = mixed & 7;
      const value = (mixed >>> 8) % empty;
      if (value < sketch[bucket]!) sketch[bucket] = value;
      word = 0;
    }
  }
}

/** As one number, for states and snapshots. */
export function packSketch(sketch: Sketch): number {
  let packed = 0;
  for (let i = 0; i < buckets; i++) packed = packed * 64 + sketch[i]!;
  return packed;
}

/** 0..1: the share of buckets that agree, buckets empty in both left out. */
export function similarity(a: number, b: number): number {
  if (a === b) return 1;
  let same = 0;
  let filled = 0;
  for (let i = 0; i < buckets; i++) {
    const left = a % 64;
    const right = b % 64;
    a = Math.floor(a / 64);
    b = Math.floor(b / 64);
    if (left === empty && right === empty) continue;
    filled++;
    if (left === right) same++;
  }
  return filled === 0 ? 1 : same / filled;
}
