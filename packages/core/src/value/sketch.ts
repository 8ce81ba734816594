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

export function resetMinima(minima: Minima): void {
  minima.fill(none);
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

function word(minima: Minima, from: number): number {
  return (
    byte(minima[from]!) |
    (byte(minima[from + 1]!) << 8) |
    (byte(minima[from + 2]!) << 16) |
    (byte(minima[from + 3]!) << 24)
  );
}

function byte(smallest: number): number {
  // The low bits of a minimum chose its bucket and the high ones are small by selection; those between are chance.
  return smallest === none ? 0 : 1 + (((smallest >>> 4) ^ (smallest >>> 12) ^ (smallest >>> 19)) % 255);
}

/** 0 to 1: the share of buckets that agree, those empty in both left out; 1 for two empty sets. */
export function likeness(a: ArrayLike<number>, b: ArrayLike<number>, atA = 0, atB = 0): number {
  let same = 0;
  let filled = buckets;
  for (let k = 0; k < 4; k++) {
    const left = a[atA + k]!;
    const right = b[atB + k]!;
    const empty = zeroBytes(left | right);
    filled -= empty;
    same += zeroBytes(left ^ right) - empty;
  }
  return filled === 0 ? 1 : same / filled;
}

/** How many of the four bytes are zero. */
function zeroBytes(value: number): number {
  const marks = ~(((value & 0x7f7f7f7f) + 0x7f7f7f7f) | value | 0x7f7f7f7f);
  return ((marks >>> 7) & 1) + ((marks >>> 15) & 1) + ((marks >>> 23) & 1) + (marks >>> 31);
}
