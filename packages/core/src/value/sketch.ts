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

/** The same, of the sketches that begin at `a` and at `b`. All sixteen bytes at once: it runs for every pair of late steps. */
export function likenessAt(words: Int32Array, a: number, b: number): number {
  const a0 = words[a]!;
  const a1 = words[a + 1]!;
  const a2 = words[a + 2]!;
  const a3 = words[a + 3]!;
  const b0 = words[b]!;
  const b1 = words[b + 1]!;
  const b2 = words[b + 2]!;
  const b3 = words[b + 3]!;
  const x0 = a0 ^ b0;
  const x1 = a1 ^ b1;
  const x2 = a2 ^ b2;
  const x3 = a3 ^ b3;
  if ((x0 | x1 | x2 | x3) === 0) return 1;
  if (((a0 & b0) | (a1 & b1) | (a2 & b2) | (a3 & b3)) === 0) return 0; // small sets mostly share no bucket
  const equal = (zeroBytes(x0) >>> 7) | (zeroBytes(x1) >>> 6) | (zeroBytes(x2) >>> 5) | (zeroBytes(x3) >>> 4);
  if (equal === 0) return 0;
  // Those empty in both are equal, and empty in one of them.
  const empty = ((zeroBytes(a0) >>> 7) | (zeroBytes(a1) >>> 6) | (zeroBytes(a2) >>> 5) | (zeroBytes(a3) >>> 4)) & equal;
  return equal === empty ? 0 : bitsIn(equal ^ empty) / (buckets - bitsIn(empty));
}

/** The highest bit of every byte that is zero. */
function zeroBytes(value: number): number {
  return ~(((value & 0x7f7f7f7f) + 0x7f7f7f7f) | value | 0x7f7f7f7f);
}

/** How many bits are set, of which each byte has four at most. */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  return Math.imul((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333), 0x01010101) >>> 24;
}
