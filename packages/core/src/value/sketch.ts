/**
 * A sketch of a set of hashes: a one-permutation MinHash of sixteen buckets, one byte of each smallest hash, packed into
 * four integers. The share of buckets in which two sketches agree estimates how much two sets have in common, at the
 * price of one multiplication an item and of sixteen bytes a set, however large the set was.
 */
export type Sketch = readonly [number, number, number, number];

export const emptySketch: Sketch = [0, 0, 0, 0];

/** The smallest hash of each bucket, while a set is read. One for all readers: a set is read within one call. */
export type Minima = Uint32Array;

const buckets = 16;
const none = 0xffffffff;

export function createMinima(): Minima {
  return new Uint32Array(buckets).fill(none);
}

/** By hand: `fill` costs more than so few numbers. */
export function resetMinima(minima: Minima): void {
  for (let k = 0; k < buckets; k++) minima[k] = none;
}

/** Adds an item to the set. */
export function addItem(minima: Minima, item: number): void {
  let mixed = Math.imul(item ^ (item >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  mixed = (mixed ^ (mixed >>> 16)) >>> 0;
  const bucket = mixed & (buckets - 1);
  if (mixed < minima[bucket]!) minima[bucket] = mixed;
}

/** The set so far as a sketch. The byte of an empty bucket is 0, and of no other. */
export function packSketch(minima: Minima): Sketch {
  return [word(minima, 0), word(minima, 4), word(minima, 8), word(minima, 12)];
}

/** Four bytes in one number. */
function word(minima: Minima, from: number): number {
  let packed = 0;
  for (let k = from + 3; k >= from; k--) {
    const smallest = minima[k]!;
    // The low bits of a minimum chose its bucket and the high ones are small by selection; those between are chance.
    const chance = smallest === none ? 0 : 1 + (((smallest >>> 4) ^ (smallest >>> 12) ^ (smallest >>> 19)) % 255);
    packed = (packed << 8) | chance;
  }
  return packed;
}

/** How alike two sets are, 0 to 1: the share of buckets that agree, those empty in both left out. */
export function likeness(a: Sketch, b: Sketch): number {
  writeSketch(both, 0, a);
  writeSketch(both, 4, b);
  return likenessAt(both, 0, 4);
}

const both = new Int32Array(8);

/** Puts a sketch into a list of numbers. By hand: `set` costs ten times as much. */
export function writeSketch(into: Int32Array, from: number, sketch: Sketch): void {
  into[from] = sketch[0];
  into[from + 1] = sketch[1];
  into[from + 2] = sketch[2];
  into[from + 3] = sketch[3];
}

/**
 * The same, of the sketches that begin at `a` and at `b`. It runs for every pair of late steps: equal sketches, and small
 * ones that share nothing, are told at a glance.
 */
export function likenessAt(words: Int32Array, a: number, b: number): number {
  const a0 = words[a]!;
  const a1 = words[a + 1]!;
  const a2 = words[a + 2]!;
  const a3 = words[a + 3]!;
  const b0 = words[b]!;
  const b1 = words[b + 1]!;
  const b2 = words[b + 2]!;
  const b3 = words[b + 3]!;
  if (((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3)) === 0) return 1;
  if (((a0 & b0) | (a1 & b1) | (a2 & b2) | (a3 & b3)) === 0) return 0;
  return shares[agreement(words, a, b)]!;
}

/** How many buckets agree, and of how many that are not empty in both, in one number. All sixteen bytes at once. */
function agreement(words: Int32Array, a: number, b: number): number {
  const a0 = words[a]!;
  const a1 = words[a + 1]!;
  const a2 = words[a + 2]!;
  const a3 = words[a + 3]!;
  const equal =
    (zeroBytes(a0 ^ words[b]!) >>> 7) |
    (zeroBytes(a1 ^ words[b + 1]!) >>> 6) |
    (zeroBytes(a2 ^ words[b + 2]!) >>> 5) |
    (zeroBytes(a3 ^ words[b + 3]!) >>> 4);
  if (equal === 0) return 1;
  // Those empty in both are equal, and empty in one of them.
  const empty = ((zeroBytes(a0) >>> 7) | (zeroBytes(a1) >>> 6) | (zeroBytes(a2) >>> 5) | (zeroBytes(a3) >>> 4)) & equal;
  return bitsIn(equal ^ empty) * (buckets + 1) + buckets - bitsIn(empty);
}

/** The shares themselves: a function that gives a fraction has to make room for it, one that gives a whole number not. */
const shares = new Float64Array((buckets + 1) ** 2);
for (let same = 0; same <= buckets; same++)
  for (let all = 1; all <= buckets; all++) shares[same * (buckets + 1) + all] = same / all;

/** The highest bit of every byte that is zero. */
function zeroBytes(value: number): number {
  return ~(((value & 0x7f7f7f7f) + 0x7f7f7f7f) | value | 0x7f7f7f7f);
}

/** How many bits are set, of which each byte has four at most. */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  return Math.imul((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333), 0x01010101) >>> 24;
}
