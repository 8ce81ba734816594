import type { Json } from '../event.js';
import { packUnits, unpackUnits } from '../value/pack.js';
import { encodeUtf8 } from '../value/utf8.js';
import { countsOf } from './saved-counts.js';

/** Where words come from. */
export type Channel = 'text' | 'reasoning';

/**
 * A message as it is read, block by block, once for all detectors that read words: its last bytes, in UTF-8, and the
 * words that ended in the last block. A word is a run of letters and digits, or a single ideograph or symbol.
 */
export interface Words {
  readonly type: 'words';
  readonly channel: Channel;
  /** Byte `k` of the message stands at `k & mask`. */
  readonly ring: Uint8Array;
  /** Bytes and characters so far. */
  size: number;
  length: number;
  /** Bytes and characters before the block; and how many words ended in the block. */
  begun: number;
  offset: number;
  count: number;
  /** How many more bytes than characters the block has so far. */
  extra: number;
  /** For each delta that reaches the block: up to which character of the message it goes, and its event. */
  deltas: readonly number[];
  /** Whether the message has ended: there is no more of it. */
  over: boolean;
  /** Set by a reader that needs the text that follows at once, not only when the next block is complete. */
  urgent: boolean;
  /** The open word: its hash (0 for none), a hash of its digits, its letters; and whether code marks came before it. */
  word: number;
  figures: number;
  letters: number;
  marked: number;
  /** The position after the last digit, in bytes. */
  digit: number;
  /** 1 inside a fence of three backticks; the backticks in a row; and the position after the last one, in bytes. */
  fenced: number;
  /** 1 within tags that hold a call or a file, such as `<write_file>`; and whether a tag has just begun a line. */
  tagged: number;
  opening: number;
  ticks: number;
  ticked: number;
}

/** Characters of a block. A block may be one shorter and the next one longer, so that no surrogate pair is cut. */
export const blockLength = 256;
/** How many bytes the ring holds. */
export const capacity = 8192;
export const mask = capacity - 1;
/** The most bytes that a block can have, and a little more. */
export const blockBytes = 1024;

/** The words of the last block, of whichever message: a block is not needed any more when the next one is read. */
export const block = {
  /** Hashes that do not depend on case; without the digits, and with them. */
  shapes: new Int32Array(blockLength + 2),
  hashes: new Int32Array(blockLength + 2),
  /** Bytes and characters of the block up to the end of the word. */
  ends: new Int32Array(blockLength + 2),
  offsets: new Int32Array(blockLength + 2),
  letters: new Int32Array(blockLength + 2),
  /** 1 for a word inside fences or after marks of code. */
  coded: new Uint8Array(blockLength + 2),
};

// Constants, because the engine reads them faster than fields.
const { shapes, hashes, ends, offsets, letters: lettersOf, coded } = block;
const bytes = new Uint8Array(blockBytes);
const usualBytes = bytes.subarray(0, blockLength);

function startCounts() {
  return {
    size: 0,
    length: 0,
    word: 0,
    figures: 0,
    letters: 0,
    marked: 0,
    digit: -1,
    fenced: 0,
    tagged: 0,
    opening: 0,
    ticks: 0,
    ticked: -1,
  };
}

/** A ring that was used before need not be wiped. */
export function startWords(channel: Channel, ring: Uint8Array = new Uint8Array(capacity)): Words {
  return {
    type: 'words',
    channel,
    ring,
    begun: 0,
    offset: 0,
    count: 0,
    extra: 0,
    deltas: [],
    over: false,
    urgent: false,
    ...startCounts(),
  };
}

/** Reads the next block. */
export function readBlock(words: Words, text: string): void {
  const written = encodeUtf8(text, bytes);
  keep(words.ring, words.size & mask, written);
  words.begun = words.size;
  words.offset = words.length;
  words.count = 0;
  words.extra = 0;
  let { word, letters } = words;
  for (let k = 0; k < written; k++) {
    const byte = bytes[k]!;
    const low = byte | 32;
    if ((low - 97) >>> 0 < 26) {
      word = spell(word, low);
      letters++;
      continue;
    }
    if (kinds[byte] === gap) {
      if (word !== 0) endWord(words, word, letters, k);
      word = letters = 0;
      continue;
    }
    words.word = word;
    words.letters = letters;
    k = readOther(words, k);
    word = words.word;
    letters = words.letters;
  }
  words.size += written;
  words.length += written - words.extra;
  words.word = word;
  words.letters = letters;
}

/** Reads what is neither an ASCII letter nor a gap, at byte `k` of the block; returns the index of its last byte. */
function readOther(words: Words, k: number): number {
  const byte = bytes[k]!;
  const code = codeAt(bytes, k);
  const kind = byte < 128 ? kinds[byte]! : kindOf(code);
  const end = k + bytesOf(byte);
  if (kind === numeral) {
    if (words.digit !== words.begun + k) words.word = spell(words.word, 48);
    words.digit = words.begun + end;
    words.figures = (Math.imul(words.figures, 31) + code) | 0;
  } else if (kind === letter) {
    words.word = spell(words.word, code);
    words.letters++;
  } else {
    if (words.word !== 0) endWord(words, words.word, words.letters, k);
    words.word = words.letters = 0;
  }
  words.extra += end - k - unitsOf(byte);
  if (kind === mark) {
    words.marked = 1;
    if (code === 96) tick(words, words.begun + end);
    else if (code === 60) words.opening = beginsLine(words, k) ? 1 : 0;
    else if (code === 47 && words.opening === 1) words.tagged = words.opening = 0;
  } else if (kind >= ideograph) {
    endWord(words, code, kind === ideograph ? 2 : 0, end);
  }
  return end - 1;
}

export function saveWords({ ring, ...words }: Words): Json {
  const kept = new Uint16Array(Math.min(words.size, capacity));
  for (let k = 0; k < kept.length; k++) kept[k] = ring[(words.size - kept.length + k) & mask]!;
  return { ...countsOf(startCounts(), words), kept: packUnits(kept) };
}

/** Throws a `TypeError` on what `saveWords` did not make. */
export function loadWords(channel: Channel, saved: Json): Words {
  const { tagged, opening } = startCounts(); // older snapshots have neither
  const words = { ...startWords(channel), ...countsOf(startCounts(), { tagged, opening, ...(saved as object) }) };
  const kept = unpackUnits((saved as { kept: string }).kept);
  if (kept.length !== Math.min(words.size, capacity)) throw new TypeError('the saved text has the wrong length');
  for (let k = 0; k < kept.length; k++) words.ring[(words.size - kept.length + k) & mask] = kept[k]!;
  return words;
}

/** The event of the character that ends at an offset of the message: one of this block, or the last before it. */
export function eventAt({ deltas }: Words, offset: number): number {
  let k = 0;
  while (k + 2 < deltas.length && deltas[k]! < offset) k += 2;
  return deltas[k + 1] ?? 0;
}

/** The text from one byte of a message up to another. */
export function textBetween({ ring }: Words, from: number, to: number): string {
  let text = '';
  for (let k = from; k < to; k += bytesOf(ring[k & mask]!)) text += String.fromCodePoint(codeAt(ring, k));
  return text;
}

/** How many UTF-16 units begin with this byte: two for a surrogate pair, none inside a character. */
export function unitsOf(byte: number): number {
  return byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2;
}

function bytesOf(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The character that begins at a byte. */
function codeAt(ring: Uint8Array, at: number): number {
  const wrap = ring.length - 1;
  const first = ring[at & wrap]!;
  if (first < 0x80) return first;
  const second = ring[(at + 1) & wrap]! & 63;
  if (first < 0xe0) return ((first & 31) << 6) | second;
  const third = ring[(at + 2) & wrap]! & 63;
  if (first < 0xf0) return ((first & 15) << 12) | (second << 6) | third;
  return ((first & 7) << 18) | (second << 12) | (third << 6) | (ring[(at + 3) & wrap]! & 63);
}

/** Copies the block into the ring. */
function keep(ring: Uint8Array, place: number, written: number): void {
  if (written === blockLength && place <= capacity - blockLength) ring.set(usualBytes, place);
  else for (let k = 0; k < written; k++) ring[(place + k) & mask] = bytes[k]!;
}

function endWord(words: Words, word: number, letters: number, end: number): void {
  const k = words.count++;
  const shape = mix(word);
  shapes[k] = shape;
  hashes[k] = words.figures === 0 ? shape : mix(word + words.figures);
  ends[k] = end;
  offsets[k] = end - words.extra;
  lettersOf[k] = letters;
  if (words.opening === 1) {
    words.opening = 0;
    if (!tagsOfThoughts.has(shape)) words.tagged = 1;
  }
  coded[k] = words.marked | words.fenced | words.tagged;
  words.figures = words.marked = 0;
}

/** Whether the byte `k` of the block is the first of a line. */
function beginsLine({ ring, begun }: Words, k: number): boolean {
  return begun + k === 0 || (k === 0 ? ring[(begun - 1) & mask] : bytes[k - 1]) === 10;
}

/** Counts a backtick that ends at byte `end`. */
function tick(words: Words, end: number): void {
  words.ticks = end === words.ticked + 1 ? words.ticks + 1 : 1;
  words.ticked = end;
  if (words.ticks === 3) words.fenced = 1 - words.fenced;
}

function spell(word: number, code: number): number {
  return ((word << 5) | (word >>> 27)) ^ code;
}

/** Spreads a hash, so that its first and last bits are as random as the others. */
export function mix(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 15);
}

/** The words with which tags begin that hold what is thought or said. */
const tagsOfThoughts = new Set(
  'think thinking thought thoughts reason reasoning reflection analysis plan scratchpad answer response summary'
    .split(' ')
    .map((name) => mix(Array.from(name).reduce((word, letter) => spell(word, letter.charCodeAt(0)), 0))),
);

/** Kinds of characters. Numerals are part of words but not letters; each ideograph or symbol is a word by itself. */
const numeral = 0;
const letter = 1;
const gap = 2;
const mark = 3;
const ideograph = 4;
const symbol = 5;
/** A byte of a character that takes several bytes. */
const wide = 6;

const kinds = new Uint8Array(256).fill(gap, 0, 128).fill(wide, 128);
for (const character of '0123456789') kinds[character.charCodeAt(0)] = numeral;
for (const character of '{}[]()<>=;|"`\\/*&%$#@+~^') kinds[character.charCodeAt(0)] = mark;

function kindOf(code: number): number {
  if (code < 0xc0) return gap;
  if (code < 0x2000) return letter;
  if (code < 0x2100) return gap;
  if (code < 0x2e80) return symbol;
  if (code < 0xac00) return code >= 0x3000 && code < 0x3040 ? gap : ideograph;
  return code < 0xf900 || code > 0xffff ? letter : gap;
}
