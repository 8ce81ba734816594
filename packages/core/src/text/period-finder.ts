import type { Json } from '../event.js';
import { packUnits, unpackUnits } from '../value/pack.js';
import { countsOf } from './saved-counts.js';

/**
 * Finds text that repeats with a period, fed character by character, at a cost that does not depend on the period.
 *
 * A ring holds the last characters of the message, each run of digits folded into one entry. A table says where the
 * last `context` entries ended before. Where they did, their distance is a candidate for the period, which is then
 * verified entry by entry for as long as it holds:
 *
 *     … I will try again. I will try again. I wil|
 *       └ once ──────────┘└ run ─────────────────┘   period 18, run 23
 *
 * Runs of digits match whatever their digits are; `exact` remembers where in the run they last differed.
 */
export interface PeriodFinder {
  readonly ring: Uint16Array;
  readonly table: Uint16Array;
  /** Entries of this message so far, and characters. */
  size: number;
  offset: number;
  hash: number;
  /** The open run of digits behind a leading 1, so that 007 is not 7; 0 for none. */
  digits: number;
  /** The candidate in entries; 0 for none. */
  period: number;
  /** Entries that repeated at this period. */
  run: number;
  /** How long the run was when digits last differed. */
  exact: number;
  /** How long the run must be for the next look. */
  next: number;
  /** Offset at which the run began, and the event of that character. */
  from: number;
  since: number;
  /** 1 when the run was reported. */
  told: number;
  /** Event at which the last chain of reported runs began, and the offset at which it ended. */
  onset: number;
  until: number;
}

/** The longest text, in entries, that a finder can compare with. */
const capacity = 4096;
const mask = capacity - 1;
/** How many entries the rolling hash remembers: 32 bits that move up by two at each entry. */
const context = 16;
/** Every entry goes into the table; whether it stood there before is asked at every eighth. */
const stride = 8;
/** A run that begins within so many characters of the end of a reported one belongs to it: the chant stumbled. */
const chain = 400;
/** Runs of digits are kept as characters of the private-use area from here to 0xefff; its own move up by 0x1000. */
const number = 0xe000;

export function startPeriodFinder(): PeriodFinder {
  return { ring: new Uint16Array(capacity), table: new Uint16Array(capacity), ...startCounts() };
}

function startCounts() {
  return {
    size: 0,
    offset: 0,
    hash: 0,
    digits: 0,
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

/** A new message begins: nothing of it is compared with what was before, of which ring and table may still hold some. */
export function endMessage(finder: PeriodFinder): void {
  Object.assign(finder, startCounts());
}

/** Whether the run has grown to where it deserves a look. Whoever looks sets `next`. */
function isDue(finder: PeriodFinder): boolean {
  return finder.period !== 0 && finder.run >= finder.next;
}

/** Reads on as `TextMachine.advance` says. */
export function advance(finder: PeriodFinder, text: string, from: number, seq: number): number {
  let k = from;
  while (k < text.length) {
    const code = text.charCodeAt(k);
    if (isDigit(code)) {
      finder.digits = (finder.digits === 0 ? 10 : finder.digits * 10) + code - 48;
      finder.offset++;
      k++;
      if (finder.digits >= 1_000_000_000) enterNumber(finder, seq);
    } else if (finder.digits !== 0) {
      enterNumber(finder, seq);
    } else if (isNumber(code)) {
      finder.offset++;
      k++;
      enter(finder, code | 0x1000, code | 0x1000, seq);
    } else {
      k = finder.period === 0 ? search(finder, text, k, seq) : verify(finder, text, k);
    }
    if (isDue(finder)) return ~k;
  }
  return k;
}

/** Marks the run as reported and gives the event at which it, or the chain of runs that it belongs to, began. */
export function tell(finder: PeriodFinder): number {
  if (finder.told === 0 && finder.from - finder.until >= chain) finder.onset = finder.since;
  finder.told = 1;
  return finder.onset;
}

/** What repeats with its digits: a period, which may be a multiple of the candidate, and how many entries repeated at it. */
export function exactRepeat(finder: PeriodFinder): { readonly period: number; readonly run: number } {
  const { ring, size, period } = finder;
  if (finder.exact === 0) return { period, run: finder.run };
  const most = Math.min(finder.run, capacity);
  for (let distance = period * 2; distance * 3 <= most; distance += period) {
    let run = 0;
    while (run < most - distance && ring[(size - 1 - run) & mask] === ring[(size - 1 - run - distance) & mask]) run++;
    if (run >= distance * 2) return { period: distance, run };
  }
  return { period, run: finder.run - finder.exact };
}

/** The last `period` entries as text: numbers of up to three digits as they were, longer ones folded. */
export function* lastEntries(finder: PeriodFinder, period: number): Generator<string> {
  for (let k = finder.size - period; k < finder.size; k++) yield textOf(finder.ring[k & mask]!);
}

export function savePeriodFinder(finder: PeriodFinder): Json {
  const { ring, table, ...counts } = finder;
  const kept = new Uint16Array(Math.min(finder.size, capacity));
  for (let k = 0; k < kept.length; k++) kept[k] = ring[(finder.size - kept.length + k) & mask]!;
  return { ...counts, kept: packUnits(kept) };
}

/**
 * The table is built again from the ring. That is exact: what the table says is believed only where the ring bears it
 * out over the whole context, and an entry that stands in the ring with its context was also the last to write its slot
 * or was followed by one that did. Throws a `TypeError` on what `savePeriodFinder` did not make.
 */
export function loadPeriodFinder(saved: Json): PeriodFinder {
  const { kept, ...counts } = saved as { kept: string } & ReturnType<typeof startCounts>;
  const finder: PeriodFinder = { ...startPeriodFinder(), ...countsOf(startCounts(), counts) };
  const entries = unpackUnits(kept);
  if (entries.length !== Math.min(finder.size, capacity)) throw new TypeError('the saved text has the wrong length');
  let hash = 0;
  for (let k = 0; k < entries.length; k++) {
    const at = finder.size - entries.length + k;
    const entry = entries[k]!;
    hash = roll(hash, isNumber(entry) ? number : entry);
    finder.ring[at & mask] = entry;
    finder.table[slotOf(hash)] = tagOf(hash) | (at & mask);
  }
  return finder;
}

/** The inner loop while there is no candidate: enters characters up to a digit, a private-use character or a candidate. */
function search(finder: PeriodFinder, text: string, from: number, seq: number): number {
  const { ring, table } = finder;
  let { size, hash } = finder;
  let found = false;
  let k = from;
  while (k < text.length && !found) {
    const code = text.charCodeAt(k);
    if (isDigit(code) || isNumber(code)) break;
    k++;
    const place = size & mask;
    ring[place] = code;
    hash = roll(hash, code);
    if ((size & (stride - 1)) === 0) found = propose(finder, size, hash, finder.offset + k - from, seq);
    table[slotOf(hash)] = tagOf(hash) | place;
    size++;
  }
  finder.offset += k - from;
  finder.size = size;
  finder.hash = hash;
  return k;
}

/** The inner loop while there is one: enters characters up to a digit, a private-use character, a look or its end. */
function verify(finder: PeriodFinder, text: string, from: number): number {
  const { ring, table, period, next } = finder;
  let { size, hash, run } = finder;
  let holds = true;
  let k = from;
  while (k < text.length && holds) {
    const code = text.charCodeAt(k);
    if (isDigit(code) || isNumber(code)) break;
    k++;
    const place = size & mask;
    ring[place] = code;
    hash = roll(hash, code);
    holds = ring[(size - period) & mask] === code;
    table[slotOf(hash)] = tagOf(hash) | place;
    size++;
    if (!holds) finder.period = 0;
    else if (++run >= next) break;
  }
  finder.offset += k - from;
  finder.size = size;
  finder.hash = hash;
  finder.run = run;
  return k;
}

function enterNumber(finder: PeriodFinder, seq: number): void {
  const entry = fold(finder.digits);
  finder.digits = 0;
  enter(finder, entry, number, seq);
}

/** Enters what the inner loop leaves out, one entry, hashed as `hashed`. */
function enter(finder: PeriodFinder, entry: number, hashed: number, seq: number): void {
  const { ring, table, size } = finder;
  ring[size & mask] = entry;
  const hash = roll(finder.hash, hashed);
  if (finder.period !== 0) {
    const before = ring[(size - finder.period) & mask]!;
    if (before === entry) finder.run++;
    else if (isNumber(before) && isNumber(entry)) finder.exact = ++finder.run;
    else finder.period = 0;
  } else if ((size & (stride - 1)) === 0) {
    propose(finder, size, hash, finder.offset, seq);
  }
  table[slotOf(hash)] = tagOf(hash) | (size & mask);
  finder.hash = hash;
  finder.size = size + 1;
}

/** Makes a candidate of the distance to where the table says that the context before entry `at` stood before. */
function propose(finder: PeriodFinder, at: number, hash: number, offset: number, seq: number): boolean {
  const known = finder.table[slotOf(hash)]!;
  if ((known & 0xf000) !== tagOf(hash)) return false;
  const distance = (at - known) & mask;
  if (!stands(finder.ring, at, distance)) return false;
  if (finder.told === 1) finder.until = finder.from + finder.run;
  finder.told = 0;
  finder.period = distance;
  finder.run = context;
  finder.exact = lastDifference(finder.ring, at, distance);
  finder.next = Math.max(128, distance);
  finder.from = offset - context;
  finder.since = seq;
  return true;
}

function roll(hash: number, entry: number): number {
  return ((hash << 2) + Math.imul(entry, 0x9e3779b1)) | 0;
}

function slotOf(hash: number): number {
  return hash >>> 20;
}

/** Four more bits of the hash, kept above the twelve of a place in the ring. */
function tagOf(hash: number): number {
  return (hash >>> 4) & 0xf000;
}

function isDigit(code: number): boolean {
  return (code - 48) >>> 0 < 10;
}

function isNumber(entry: number): boolean {
  return (entry & 0xf000) === number;
}

/** Whether the last `context` entries stand in this message's part of the ring `distance` earlier too, digits aside. */
function stands(ring: Uint16Array, at: number, distance: number): boolean {
  if (distance === 0 || distance > capacity - context || distance > at - context + 1) return false;
  for (let k = 0; k < context; k++) {
    const entry = ring[(at - k) & mask]!;
    const before = ring[(at - k - distance) & mask]!;
    if (entry !== before && !(isNumber(entry) && isNumber(before))) return false;
  }
  return true;
}

/** Up to which of the last `context` entries digits differ from those `distance` earlier. */
function lastDifference(ring: Uint16Array, at: number, distance: number): number {
  let k = 0;
  while (k < context && ring[(at - k) & mask] === ring[(at - k - distance) & mask]) k++;
  return context - k;
}

/** Up to three digits are kept as they are; of four to nine their number and a hash. */
function fold(digits: number): number {
  if (digits < 2000) return number | digits;
  return number | (2000 + (String(digits).length - 5) * 349 + (digits % 349));
}

function textOf(entry: number): string {
  if (!isNumber(entry)) return String.fromCharCode(entry);
  const digits = entry & 0xfff;
  return digits < 2000 ? String(digits).slice(1) : '#'.repeat(4 + Math.floor((digits - 2000) / 349));
}
