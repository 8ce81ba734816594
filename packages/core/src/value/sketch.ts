/**
 * A sketch of a set of hashes: a one-permutation MinHash of sixteen buckets, one byte of each smallest hash, packed into
 * four integers. The share of buckets in which two sketches agree estimates how much two sets have in common, at the
 * price of one multiplication an item and of sixteen bytes a set, however large the set was.
 */
export type Sketch = readonly [number, number, number, number];

export const emptySketch: Sketch = [0, 0, 0, 0];

/** The smallest hash of each bucket, while a set is read. One for all readers: a set is read within one call. */
export interface Minima {
  readonly smallest: Uint32Array;
  /** A bit for each bucket that has any. Most sets are small: what is not in them is not looked at. */
  filled: number;
}

export const buckets = 16;

export function createMinima(): Minima {
  return { smallest: new Uint32Array(buckets), filled: 0 };
}

export function resetMinima(minima: Minima): void {
  minima.filled = 0;
}

/** Adds an item to the set. */
export function addItem(minima: Minima, item: number): void {
  let mixed = Math.imul(item ^ (item >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  mixed = (mixed ^ (mixed >>> 16)) >>> 0;
  const bucket = mixed & (buckets - 1);
  const { smallest, filled } = minima;
  const bit = 1 << bucket;
  if ((filled & bit) !== 0 && mixed >= smallest[bucket]!) return;
  smallest[bucket] = mixed;
  minima.filled = filled | bit;
}

/** The set so far as a sketch. The byte of an empty bucket is 0, and of no other. */
export function packSketch({ smallest, filled }: Minima): Sketch {
  if (filled === 0) return emptySketch;
  packed[0] = packed[1] = packed[2] = packed[3] = 0;
  for (let left = filled; left !== 0; left &= left - 1) {
    const bucket = 31 - Math.clz32(left & -left); // of the lowest bit
    const hash = smallest[bucket]!;
    // The low bits of a minimum chose its bucket and the high ones are small by selection; those between are chance.
    const chance = 1 + (((hash >>> 4) ^ (hash >>> 12) ^ (hash >>> 19)) % 255);
    packed[bucket >> 2]! |= chance << ((bucket & 3) << 3);
  }
  return [packed[0]!, packed[1]!, packed[2]!, packed[3]!];
}

const packed = new Int32Array(4);

/** How alike two sets are, 0 to 1: the share of buckets that agree, those empty in both left out. */
export function likeness(a: Sketch, b: Sketch): number {
  writeSketch(pair, 0, a);
  writeSketch(pair, 4, b);
  return likenessAt(pair, 0, 4);
}

const pair = new Int32Array(8);

/** Puts a sketch into a list of numbers. By hand: `set` costs ten times as much. */
export function writeSketch(into: Int32Array, from: number, sketch: Sketch): void {
  into[from] = sketch[0];
  into[from + 1] = sketch[1];
  into[from + 2] = sketch[2];
  into[from + 3] = sketch[3];
}

/** The same, of the sketches that begin at `a` and at `b`. */
export function likenessAt(words: Int32Array, a: number, b: number): number {
  const a0 = words[a]!;
  const a1 = words[a + 1]!;
  const a2 = words[a + 2]!;
  const a3 = words[a + 3]!;
  return likenessTo(a0, a1, a2, a3, emptyBuckets(a0, a1, a2, a3), words, b);
}

/**
 * The same, of a sketch, whose `empty` buckets are known, and that which begins at `b`. It runs for every pair of late
 * steps: equal sketches, and small ones that share nothing, are told at a glance.
 */
export function likenessTo(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  empty: number,
  words: Int32Array,
  b: number,
): number {
  const b0 = words[b]!;
  const b1 = words[b + 1]!;
  const b2 = words[b + 2]!;
  const b3 = words[b + 3]!;
  if (((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3)) === 0) return 1;
  if (((a0 & b0) | (a1 & b1) | (a2 & b2) | (a3 & b3)) === 0) return 0;
  const equal = emptyBuckets(a0 ^ b0, a1 ^ b1, a2 ^ b2, a3 ^ b3);
  if (equal === 0) return 0;
  // Those empty in both are equal, and empty in one of them.
  const both = equal & empty;
  return shares[bitsIn(equal ^ both) * (buckets + 1) + buckets - bitsIn(both)]!;
}

/**
 * The buckets of a sketch that are empty, a bit for each: four of every byte. The arithmetic is that of finding a zero
 * byte: adding 127 to its low seven bits sets the highest bit of a byte unless they are all 0.
 */
export function emptyBuckets(a0: number, a1: number, a2: number, a3: number): number {
  const full0 = (((a0 & low) + low) | a0) & high;
  const full1 = (((a1 & low) + low) | a1) & high;
  const full2 = (((a2 & low) + low) | a2) & high;
  const full3 = (((a3 & low) + low) | a3) & high;
  return ((full0 >>> 7) | (full1 >>> 6) | (full2 >>> 5) | (full3 >>> 4)) ^ 0x0f0f0f0f;
}

const low = 0x7f7f7f7f;
const high = 0x80808080 | 0;

/** What a bucket of the sketch that begins at `at` holds: of each of two sets, the same where a word of both fell there. */
export function wordIn(words: Int32Array, at: number, bucket: number): number {
  return (words[at + (bucket >> 2)]! >>> ((bucket & 3) << 3)) & 255;
}

/** How many buckets of the sketch that begins at `at` hold something. */
export function filledBuckets(words: Int32Array, at: number): number {
  return buckets - bitsIn(emptyBuckets(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!));
}

/** So many buckets that agree, of so many that are not empty in both: a division costs more than to look it up. */
const shares = new Float64Array((buckets + 1) ** 2);
for (let same = 0; same <= buckets; same++)
  for (let all = 1; all <= buckets; all++) shares[same * (buckets + 1) + all] = same / all;

/** How many bits are set, of which each byte has four at most. */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  return Math.imul((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333), 0x01010101) >>> 24;
}
