import { isSpace } from './structure.js';

/** What is looked for: the same `windowChars` characters `times` times, on average at most `gapChars` apart. */
export interface ChantOptions {
  readonly windowChars: number;
  readonly times: number;
  /** Only this many of the last characters are remembered. */
  readonly historyChars: number;
  readonly gapChars: number;
  /** Whether windows of white space, symbols or box-drawing characters are skipped. */
  readonly passesFiller: boolean;
}

export interface Chant extends ChantOptions {
  /** The factor of the first character of a window in its hash. */
  readonly highest: number;
}

/**
 * The last characters of a text; and for every window in them, where the same window was before.
 *
 *   … t h e   s a m e   w o r d s ,   t h e   s a m e   w o r
 *     └ floor                         └ next      filled ┘   └ end
 *
 * Positions count characters since the beginning and never decrease. A ring holds the entry of a position at the
 * position modulo the ring's length. `floor` is the first position that is still remembered; older entries are ignored
 * and need not be cleared.
 */
export interface Windows {
  readonly codes: Uint16Array;
  /** By the start of a window: how far back the same window was, 0 for nowhere. */
  readonly before: Uint16Array;
  /** By the start of a window: how far back the last window of the same slot was, 0 for nowhere. */
  readonly chain: Uint16Array;
  /** By slot: the start of its last window, modulo 2^32. */
  readonly heads: Uint32Array;
  floor: number;
  end: number;
  /** Start of the next window to look at. */
  next: number;
  /** Rolling hash (Rabin–Karp) of the characters from `next` to `filled`. */
  hash: number;
  filled: number;
  /** Windows that were looked at but not counted, because they were confused with another one (see `find`). */
  passed: number[];
  /**
   * Last positions, up to `filled`: of a character that is not white space; of one that is also not a symbol; of one
   * that is not white space and not box-drawing.
   */
  ink: number;
  word: number;
  solid: number;
  /** First position from `next` on that is not white space. */
  firstInk: number;
}

/** The window that completes a chant: where it starts, and where the second of its counted appearances starts. */
export interface Refrain {
  readonly start: number;
  readonly second: number;
  readonly every: number;
}

/** Positions begin here, so that an empty slot, which holds 0, is older than `floor` and ignored. */
const beginning = 0x10000;
/** `historyChars` must not be more, so that distances fit into the rings. */
export const longestHistory = 0xffff;
const base = 0x01000193;

export function chantOf(options: ChantOptions): Chant {
  let highest = 1;
  for (let k = 1; k < options.windowChars; k++) highest = Math.imul(highest, base);
  return { ...options, highest };
}

export function startWindows({ historyChars }: Chant, from = beginning): Windows {
  const size = 2 ** Math.max(4, Math.ceil(Math.log2(historyChars + 1)));
  return {
    codes: new Uint16Array(size),
    before: new Uint16Array(size),
    chain: new Uint16Array(size),
    heads: new Uint32Array(size / 2),
    ...tracking(from),
    end: from,
  };
}

/** Forgets the text so far. */
export function restartWindows(windows: Windows): void {
  Object.assign(windows, tracking(windows.end));
}

function tracking(from: number) {
  return {
    floor: from,
    next: from,
    hash: 0,
    filled: from,
    passed: [] as number[],
    ink: -1,
    word: -1,
    solid: -1,
    firstInk: from,
  };
}

/** Adds text, looks at every window that it completes, and returns the first one that completes a chant. */
export function addText(windows: Windows, text: string, chant: Chant): Refrain | undefined {
  write(windows, text, chant);
  return look(windows, windows.end - chant.windowChars, chant, undefined);
}

/** Fills fresh windows with a saved text. Its first `looked` windows were looked at; those in `passed` do not count. */
export function recall(windows: Windows, text: string, looked: number, passed: readonly number[], chant: Chant): void {
  write(windows, text, chant);
  const { floor } = windows;
  look(windows, floor + looked - 1, chant, new Set(passed.map((offset) => floor + offset)));
}

/** The text that is remembered, from `from` on. */
export function textOf({ codes, end }: Windows, from: number, length = end - from): string {
  let text = '';
  for (let at = from; at < from + length; at++) text += String.fromCharCode(codes[at & (codes.length - 1)]!);
  return text;
}

function write(windows: Windows, text: string, { historyChars }: Chant): void {
  const { codes, end } = windows;
  const mask = codes.length - 1;
  const { length } = text;
  for (let i = Math.max(0, length - historyChars); i < length; i++) codes[(end + i) & mask] = text.charCodeAt(i);
  windows.end = end + length;
  windows.floor = Math.max(windows.floor, windows.end - historyChars);
  if (windows.next >= windows.floor) return;
  // The text was so long that some windows were forgotten before they were looked at.
  windows.next = windows.floor;
  windows.firstInk = windows.floor;
  windows.filled = windows.floor;
  windows.hash = 0;
}

/** Looks at the windows from `next` to the one that starts at `last`; those in `passedBefore` are not counted again. */
function look(
  windows: Windows,
  last: number,
  chant: Chant,
  passedBefore: ReadonlySet<number> | undefined,
): Refrain | undefined {
  const { codes, heads, floor } = windows;
  const { windowChars, passesFiller, highest } = chant;
  const mask = codes.length - 1;
  const shift = Math.clz32(heads.length) + 1;
  let { next, hash, filled } = windows;
  let refrain: Refrain | undefined;
  for (; next <= last; next++) {
    for (const end = next + windowChars; filled < end; filled++) {
      const code = codes[filled & mask]!;
      hash = (Math.imul(hash, base) + blurred(code)) | 0;
      if (passesFiller) note(windows, code, filled);
    }
    if (passedBefore?.has(next)) windows.passed.push(next);
    else if (!passesFiller || isSubstantial(windows, next, windowChars)) {
      const slot = Math.imul(hash, 0x9e3779b1) >>> shift;
      const back = (next - heads[slot]!) >>> 0;
      const repeats = enter(windows, next, slot, back <= next - floor ? back : 0, chant);
      if (repeats && refrain === undefined) refrain = refrainAt(windows, next, chant);
    }
    hash = (hash - Math.imul(blurred(codes[next & mask]!), highest)) | 0;
  }
  windows.next = next;
  windows.hash = hash;
  windows.filled = filled;
  return refrain;
}

/** Enters a window into its slot, whose last window began `back` before it. True if the same window came before. */
function enter(windows: Windows, start: number, slot: number, back: number, chant: Chant): boolean {
  const { before, chain, heads } = windows;
  const mask = before.length - 1;
  const found = back === 0 ? 0 : find(windows, start, back, chant);
  if (found === 'passed') {
    while (windows.passed.length > 0 && windows.passed[0]! < windows.floor) windows.passed.shift();
    windows.passed.push(start);
    return false;
  }
  chain[start & mask] = back;
  heads[slot] = start;
  before[start & mask] = found;
  return found > 0;
}

/**
 * How far back the same window was, 0 for nowhere, in a slot whose last window was `last` characters before.
 *
 * The ancestors keep windows under a hash of their UTF-8, in which every lone half of a surrogate pair, for example at
 * the edge of a window, is the same replacement character. If two different windows have the same hash because of this,
 * they notice it and do not count the window: that is `passed`.
 */
function find(windows: Windows, start: number, last: number, { windowChars }: Chant): number | 'passed' {
  const { chain, floor } = windows;
  const mask = chain.length - 1;
  for (let back = last; back <= start - floor; ) {
    const sameness = compare(windows, start, start - back, windowChars);
    if (sameness === 'same') return back;
    if (sameness === 'confused') return 'passed';
    const further = chain[(start - back) & mask]!;
    if (further === 0) return 0;
    back += further;
  }
  return 0;
}

function compare({ codes }: Windows, a: number, b: number, length: number): 'same' | 'confused' | 'different' {
  const mask = codes.length - 1;
  let i = 0;
  while (i < length && codes[(a + i) & mask] === codes[(b + i) & mask]) i++;
  if (i === length) return 'same';
  for (; i < length; i++) if (written(codes, a, i, length) !== written(codes, b, i, length)) return 'different';
  return 'confused';
}

/** The i-th character of a window; a lone half of a surrogate pair is replaced. */
function written(codes: Uint16Array, start: number, i: number, length: number): number {
  const mask = codes.length - 1;
  const code = codes[(start + i) & mask]!;
  if (isHighHalf(code)) return i + 1 < length && isLowHalf(codes[(start + i + 1) & mask]!) ? code : replacement;
  if (isLowHalf(code)) return i > 0 && isHighHalf(codes[(start + i - 1) & mask]!) ? code : replacement;
  return code;
}

/** Goes back over the earlier appearances of a window, as far as the remembered text and the gap allow. */
function refrainAt(windows: Windows, start: number, { times, gapChars }: Chant): Refrain | undefined {
  const { before, floor } = windows;
  const mask = before.length - 1;
  const oldest = Math.max(floor, start - gapChars * (times - 1));
  let at = start;
  let second = start;
  for (let k = 1; k < times; k++) {
    const back = before[at & mask]!;
    second = at;
    at -= back;
    if (back === 0 || at < oldest) return undefined;
  }
  return { start, second, every: (start - at) / (times - 1) };
}

/** The least length of a window, without the white space at its ends, to be counted. */
const leastInk = 15;

function isSubstantial(windows: Windows, next: number, windowChars: number): boolean {
  const { codes, ink, word, solid } = windows;
  if (ink < next || word < next || solid < next) return false;
  const mask = codes.length - 1;
  let first = Math.max(windows.firstInk, next);
  while (first < next + windowChars && isSpace(codes[first & mask]!)) first++;
  windows.firstInk = first;
  return ink - first + 1 >= leastInk;
}

function note(windows: Windows, code: number, at: number): void {
  if (isSpace(code)) return;
  windows.ink = at;
  if (!isSymbol(code)) windows.word = at;
  if (code < 0x2500 || code > 0x257f) windows.solid = at;
}

const symbols = new Set(Array.from('-=*_+|#.`/\\~', (symbol) => symbol.charCodeAt(0)));

function isSymbol(code: number): boolean {
  return code < 128 && symbols.has(code);
}

const replacement = 0xfffd;

function isHighHalf(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

function isLowHalf(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** In the hash, every half of a surrogate pair is a replacement character, whether it is alone or not. */
function blurred(code: number): number {
  return (code & 0xf800) === 0xd800 ? replacement : code;
}
