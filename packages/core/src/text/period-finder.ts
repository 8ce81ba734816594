import type { Json } from '../event.js';
import { packUnits, unpackUnits } from '../value/pack.js';
import { countsOf } from './saved-counts.js';
import { block, blockBytes, capacity, eventAt, mask, textBetween, unitsOf, type Words } from './words.js';

/**
 * Finds text that repeats with a period, at a cost that does not depend on the period.
 *
 * A table says where the last four words ended before. If the `context` bytes up to there are the same as the last
 * ones, the distance is a candidate for the period. It is then verified byte by byte, for as long as it holds:
 *
 *     … I will try again. I will try again. I wil|
 *       └ once ──────────┘└ run ─────────────────┘   period 18, run 23
 *
 * When no word has ended for `context` bytes, every byte counts as the end of one. Runs of digits match whatever their
 * digits are, and the period grows and shrinks with them; `exact` records where in the run they last differed.
 */
export interface PeriodFinder {
  readonly table: Uint16Array;
  /** Bytes of the message that were read; and characters. */
  size: number;
  offset: number;
  /** Bytes up to the end of the last word; a hash of the last words; and one of the bytes since then. */
  border: number;
  heard: number;
  hash: number;
  /** The candidate, in bytes; 0 for none. */
  period: number;
  /** Bytes that repeated at this period. */
  run: number;
  /** How long the run was when digits last differed. */
  exact: number;
  /** The length of the run at which the next look is due. */
  next: number;
  /** The offset at which the run began, and the event in which it was noticed. */
  from: number;
  since: number;
  /** 1 when the run was reported. */
  told: number;
  /** The event at which the last chain of reported runs began, and the offset at which it ended. */
  onset: number;
  until: number;
}

const { ends, offsets, shapes } = block;
const slots = 1024;
/** How many bytes must be the same. The rolling hash covers as many: its 32 bits move up by two with each byte. */
const context = 16;
/** The longest period: as much as is still in the ring when the last byte of a block has been read. */
const longest = capacity - blockBytes;
/** A table entry that is this few bytes old keeps its place: else two alternating words would erase each other. */
const nearby = 64;
/** The longest number that another number may replace when a candidate is looked for. */
const longestNumber = 24;
/** A run that begins this few characters after the end of a reported one belongs to it: the chant only stumbled. */
const chain = 400;

export function startPeriodFinder(): PeriodFinder {
  return { table: new Uint16Array(slots), ...startCounts() };
}

function startCounts() {
  return {
    size: 0,
    offset: 0,
    border: 0,
    heard: 0,
    hash: 0,
    period: 0,
    run: 0,
    exact: 0,
    next: 0,
    from: 0,
    since: 0,
    told: 0,
    onset: 0,
    until: -chain,
  };
}

/** A new message begins, maybe of another session: forgets everything. */
export function endMessage(finder: PeriodFinder): void {
  finder.table.fill(0);
  Object.assign(finder, startCounts());
}

/** See `TextMachine.advance`: a look is due when the run is long enough. The code that looks then sets `next`. */
export function advance(finder: PeriodFinder, words: Words, from: number): number {
  const { begun, count, ring } = words;
  if (finder.size > words.size || begun - finder.size > context) join(finder, words);
  let k = from;
  for (; k < count; k++) {
    const end = begun + ends[k]!;
    if (finder.period !== 0 || end - finder.border > context) if (enter(finder, words, end)) return ~k;
    const length = end - finder.border; // with the white space before it: this recognises one word that repeats
    finder.size = finder.border = end;
    finder.offset = words.offset + offsets[k]!;
    finder.heard = ((finder.heard << 8) + shapes[k]!) | 0;
    finder.hash = 0;
    // The last byte tells capital letters apart. A digit counts like any other digit.
    const last = ring[(end - 1) & mask]!;
    meet(finder, words, (finder.heard + Math.imul(isDigit(last) ? 48 : last + (length << 8), 0x9e3779b1)) | 0);
  }
  if (finder.period !== 0 || words.size - finder.border > context) if (enter(finder, words, words.size)) return ~k;
  return k;
}

/** Whether there is a candidate. */
export function isRepeating({ period }: PeriodFinder): boolean {
  return period !== 0;
}

/** Marks the run as reported, and returns the event at which it, or the chain of runs it belongs to, began. */
export function tell(finder: PeriodFinder): number {
  if (finder.told === 0 && finder.from - finder.until >= chain) finder.onset = finder.since;
  finder.told = 1;
  return finder.onset;
}

/**
 * What repeats exactly, digits included: a period, longer than the candidate if the numbers recur only later, and how
 * many bytes repeated with it. Read backwards, `same[d]` bytes of the text also stand `d` bytes earlier (the Z
 * function, in linear time).
 */
export function exactRepeat(
  { size, period, run, exact }: PeriodFinder,
  { ring }: Words,
): { readonly period: number; readonly run: number } {
  if (exact === 0) return { period, run };
  const most = Math.min(run, longest);
  let left = 0;
  let right = 0;
  for (let d = 1; d * 3 <= most; d++) {
    let k = d < right ? Math.min(right - d, same[d - left]!) : 0;
    while (d + k < most && ring[(size - 1 - k) & mask] === ring[(size - 1 - k - d) & mask]) k++;
    same[d] = k;
    if (d > period && k >= d * 2) return { period: d, run: k };
    if (d + k > right) {
      left = d;
      right = d + k;
    }
  }
  return { period, run: run - exact };
}

const same = new Uint16Array(capacity);

/** The last `period` bytes as text. */
export function lastText({ size }: PeriodFinder, words: Words, period: number): string {
  return textBetween(words, size - period, size);
}

export function savePeriodFinder({ table, ...counts }: PeriodFinder): Json {
  return { ...counts, table: packUnits(table) };
}

/** Throws a `TypeError` on what `savePeriodFinder` did not make. */
export function loadPeriodFinder(saved: Json): PeriodFinder {
  const { table, ...counts } = saved as { table: string } & ReturnType<typeof startCounts>;
  const finder = { table: unpackUnits(table), ...countsOf(startCounts(), counts) };
  if (finder.table.length !== slots || finder.period < 0 || finder.period > longest)
    throw new TypeError('the saved period finder is none');
  return finder;
}

/** Starts in the middle of a message whose beginning it has not read. */
function join(finder: PeriodFinder, { begun, offset }: Words): void {
  endMessage(finder);
  finder.size = finder.border = begun;
  finder.offset = offset;
}

/** Reads byte by byte up to `end`. Stops earlier, and returns true, where a look is due. */
function enter(finder: PeriodFinder, words: Words, end: number): boolean {
  const { ring } = words;
  while (finder.size < end) {
    const before = finder.size === finder.border ? 0 : ring[(finder.size - 1) & mask]!;
    const byte = ring[finder.size & mask]!;
    if (finder.period !== 0) verify(finder, ring, byte);
    finder.size++;
    finder.offset += unitsOf(byte);
    if (!isDigit(byte)) finder.hash = roll(finder.hash, byte);
    else if (!isDigit(before)) finder.hash = roll(finder.hash, 48);
    if (finder.size - finder.border > context) meet(finder, words, finder.hash);
    if (finder.period !== 0 && finder.run >= finder.next && isBorder(ring, finder.size, end)) return true;
  }
  return false;
}

/** Whether a character ends here. */
function isBorder(ring: Uint8Array, size: number, end: number): boolean {
  return size === end || (ring[size & mask]! & 0xc0) !== 0x80;
}

/** Checks the candidate against the next byte. If it holds, the run grows; else the candidate is given up. */
function verify(finder: PeriodFinder, ring: Uint8Array, byte: number): void {
  const { size } = finder;
  let place = size - finder.period;
  if (ring[place & mask] !== byte) {
    const inNumber = isDigit(ring[(size - 1) & mask]!);
    if (!isDigit(byte)) {
      if (inNumber) while (isDigit(ring[place & mask]!)) place++; // the number that stood there was longer
      if (ring[place & mask] !== byte) place = size;
    } else if (!isDigit(ring[place & mask]!)) {
      place = inNumber ? place - 1 : size; // it was shorter
    }
    finder.period = size - place > longest ? 0 : size - place;
    if (finder.period === 0) return;
    finder.exact = finder.run + 1;
  }
  finder.run++;
}

/**
 * Looks up in the table where text with this hash ended before, and records that it ends here now. If there is no
 * candidate yet and the table's entry proves right, the distance becomes the candidate.
 */
function meet(finder: PeriodFinder, words: Words, hash: number): void {
  const { table, size } = finder;
  const { ring } = words;
  const tag = (hash << 3) & 0xe000; // three more bits of the hash, above the thirteen of a place in the ring
  let slot = hash >>> 22;
  let known = table[slot]!;
  if (((size - known) & mask) <= nearby && known !== 0 && isOther(known, tag, size, ring)) {
    slot ^= 1;
    known = table[slot]!;
  }
  table[slot] = tag | (size & mask);
  if (finder.period !== 0 || (known & 0xe000) !== tag) return;
  const distance = (size - known) & mask;
  const alike = likeBefore(ring, size, distance);
  if (alike < 0) return;
  if (finder.told === 1) finder.until = finder.from + finder.run;
  finder.told = 0;
  finder.period = distance;
  finder.run = context;
  finder.exact = context - alike;
  finder.next = Math.max(128, distance);
  finder.from = finder.offset;
  for (let k = 1; k <= context; k++) finder.from -= unitsOf(ring[(size - k) & mask]!);
  finder.since = eventAt(words, finder.offset);
}

/** Whether the table's entry is about other text than what ends here. */
function isOther(known: number, tag: number, size: number, ring: Uint8Array): boolean {
  return (known & 0xe000) !== tag || ring[(known - 1) & mask] !== ring[(size - 1) & mask];
}

/**
 * How many of the last `context` bytes up to `end` also stand `distance` bytes earlier in this message, counted back
 * from the end to where digits differ; -1 if more than digits differ.
 */
function likeBefore(ring: Uint8Array, end: number, distance: number): number {
  if (distance === 0 || distance > longest || distance > end - context) return -1;
  let alike = context;
  let before = end - distance;
  for (let k = 1; k <= context; k++) {
    const byte = ring[(end - k) & mask]!;
    before--;
    if (ring[before & mask] === byte) continue;
    const inNumber = k > 1 && isDigit(ring[(end - k + 1) & mask]!);
    if (!isDigit(byte)) {
      const stop = Math.max(0, before - longestNumber);
      if (inNumber) while (before > stop && isDigit(ring[before & mask]!)) before--;
      if (ring[before & mask] !== byte) return -1;
    } else if (!isDigit(ring[before & mask]!)) {
      if (!inNumber) return -1;
      before++;
    }
    alike = Math.min(alike, k - 1);
  }
  return before < 0 ? -1 : alike;
}

function roll(hash: number, byte: number): number {
  return ((hash << 2) + Math.imul(byte, 0x9e3779b1)) | 0;
}

function isDigit(byte: number): boolean {
  return (byte - 48) >>> 0 < 10;
}
