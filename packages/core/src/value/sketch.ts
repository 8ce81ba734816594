/**
 * A sketch of a set of hashes: a one-permutation MinHash with sixteen buckets, of which one byte of the smallest hash
 * is kept, packed into four integers. The share of buckets in which two sketches agree estimates how much the two sets
 * have in common. It costs little work per item and sixteen bytes per set, however large the set is.
 */
export type Sketch = readonly [number, number, number, number];

export const emptySketch: Sketch = [0, 0, 0, 0];

/** The smallest hash of each bucket, while a set is read. One for all readers: a set is read within one call. */
export interface Minima {
  readonly smallest: Uint32Array;
  /** A bit for each bucket that has a hash. Most sets are small: empty buckets are not even read. */
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

/** The set so far as a sketch. The byte of an empty bucket is 0, and only that of an empty one. */
export function packSketch({ smallest, filled }: Minima): Sketch {
  if (filled === 0) return emptySketch;
  packed[0] = packed[1] = packed[2] = packed[3] = 0;
  for (let left = filled; left !== 0; left &= left - 1) {
    const bucket = 31 - Math.clz32(left & -left); // of the lowest bit
    const hash = smallest[bucket]!;
    // The low bits of a minimum chose its bucket, and its high bits are small by selection; those between are random.
    const chance = 1 + (((hash >>> 4) ^ (hash >>> 12) ^ (hash >>> 19)) % 255);
    packed[bucket >> 2]! |= chance << ((bucket & 3) << 3);
  }
  return [packed[0]!, packed[1]!, packed[2]!, packed[3]!];
}

const packed = new Int32Array(4);

/** How alike two sets are, 0 to 1: the share of buckets that agree, without those that are empty in both. */
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

/** The same, for the sketches that begin at `a` and at `b`. */
export function likenessAt(words: Int32Array, a: number, b: number): number {
  const a0 = words[a]!;
  const a1 = words[a + 1]!;
  const a2 = words[a + 2]!;
  const a3 = words[a + 3]!;
  return likenessTo(a0, a1, a2, a3, emptyBuckets(a0, a1, a2, a3), words, b);
}

/**
 * The same, for a sketch whose `empty` buckets are known and the one that begins at `b`. It runs for every pair of
 * recent steps, so it returns early for equal sketches and for small ones that share nothing.
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
  // Buckets that are empty in both: they are equal, and empty in one of the two.
  const both = equal & empty;
  return shares[bitsIn(equal ^ both) * (buckets + 1) + buckets - bitsIn(both)]!;
}

/**
 * The buckets of a sketch that are empty, a bit for each, four in every byte. It finds zero bytes with the usual
 * arithmetic: adding 127 to the low seven bits of a byte sets its highest bit unless they are all 0.
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

/** The byte of a bucket of the sketch that begins at `at`; the same for two sets if one word of both fell there. */
export function wordIn(words: Int32Array, at: number, bucket: number): number {
  return (words[at + (bucket >> 2)]! >>> ((bucket & 3) << 3)) & 255;
}

/** How many buckets of the sketch that begins at `at` hold something. */
export function filledBuckets(words: Int32Array, at: number): number {
  return buckets - bitsIn(emptyBuckets(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!));
}

/** The share if `same` of `all` buckets that are not empty in both agree: a division costs more than a look-up. */
const shares = new Float64Array((buckets + 1) ** 2);
for (let same = 0; same <= buckets; same++)
  for (let all = 1; all <= buckets; all++) shares[same * (buckets + 1) + all] = same / all;

/** How many bits are set. Each byte must have at most four. */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  return Math.imul((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333), 0x01010101) >>> 24;
}
