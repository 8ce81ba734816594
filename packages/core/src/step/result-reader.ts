import { startHash } from '../value/fingerprint.js';
import { encodeUtf8 } from '../value/utf8.js';
import { addDigit, addLetter, wordHash } from '../value/words.js';
import { cue, cuesOf } from './cues.js';
import { idEnd, volatileEnd } from './volatile-bytes.js';

/** What one pass over a result gives; all of it is hashes still to be finished. */
export interface ResultReading {
  /** Of the text, white space folded, with a sign for each volatile thing; and of what the signs stand for. */
  hash: number;
  rest: number;
  /** Of its words and numbers, those of the call replaced by a sign. */
  shape: number;
  /** What its words may mean (see `cues.ts`). */
  cues: number;
  /** The word at hand, 0 between words; and whether white space is: -1 or 0. */
  word: number;
  gap: number;
}

/** Longer texts are read in blocks: the scratch pad stays small, and what is worked on stays in the processor's cache. */
const blockLength = 16_384;
/** A block ends with a line, or with a word, that ends so many characters before it is full; else it ends anywhere. */
const leeway = 2048;
// A scratch pad, written before it is read in every call: no state lives here between two.
const pad = new Uint8Array(blockLength * 3 + 8);

/** No byte of UTF-8. It stands behind a block, so that runs of letters and digits end there. */
const sentinel = 0xff;

// Each is -1 where it holds for a byte, and 0 where it does not: a mask, so that the pass need not branch.
const letters = new Int8Array(256);
const blanks = new Int8Array(256);
/** What is looked at more closely: digits, colons, and the bytes of characters beyond ASCII. */
const specials = new Int8Array(256);
/** A byte as it is hashed. */
const folded = new Uint8Array(256);
for (let code = 0; code < 256; code++) {
  const lower = code | 32;
  if (code < 128 && lower >= 97 && lower <= 122) letters[code] = -1;
  if (code <= 32) blanks[code] = -1;
  if (code >= 128 || code === 58 || isDigit(code)) specials[code] = -1;
  folded[code] = Math.max(code, 32);
}

/**
 * Reads a result in one pass over its bytes, of which there can be many: fingerprints, and what its words may mean. One
 * hash is of the masked text and one of what was masked out of it; both together tell texts apart as they stand.
 */
export function readResult(text: string, callWords: readonly number[]): ResultReading {
  const reading = { hash: startHash, rest: 0, shape: 0, cues: 0, word: 0, gap: 0 };
  let from = 0;
  let end = text.length;
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (from < end && isBlank(text.charCodeAt(end - 1))) end--;
  markEchoes(callWords);
  while (from < end) {
    const to = blockEnd(text, from, end);
    const whole = from === 0 && to === text.length;
    const length = encodeUtf8(whole ? text : text.slice(from, to), pad);
    pad.fill(sentinel, length, length + 5);
    readBlock(reading, callWords);
    from = to;
    if (from === end && reading.word !== 0) endWord(reading, length, callWords);
  }
  return reading;
}

/** The text ends with a word. */
function endWord(reading: ResultReading, end: number, callWords: readonly number[]): void {
  const { word } = reading;
  reading.cues |= cuesOf(word) | (isErrorName(end) ? cue.complaint : 0);
  reading.shape = (Math.imul(reading.shape ^ (isEcho(word, callWords) ? 35 : word), 0x85ebca6b) + 1) | 0;
}

function blockEnd(text: string, from: number, end: number): number {
  const full = from + blockLength;
  if (full >= end) return end;
  const last = text.slice(full - leeway, full);
  const line = last.lastIndexOf('\n');
  const place = line >= 0 ? line : last.lastIndexOf(' ');
  if (place >= 0) return full - leeway + place + 1;
  const code = text.charCodeAt(full - 1);
  return code >= 0xd800 && code < 0xdc00 ? full - 1 : full;
}

/**
 * Most bytes go through the inner loop, which does not branch: where words and blanks begin cannot be foreseen, and a
 * wrong guess costs a processor more than the work. It ends where a word does, and at what is looked at more closely.
 */
function readBlock(reading: ResultReading, callWords: readonly number[]): void {
  // `| 0` says that they are integers, which the engine could not know of fields.
  let hash = reading.hash | 0;
  let rest = reading.rest | 0;
  let shape = reading.shape | 0;
  let cues = reading.cues | 0;
  let word = reading.word | 0;
  let gap = reading.gap | 0;
  let lastWord = 0;
  let lastEnd = -9;
  let i = 0;
  for (;;) {
    let byte = pad[i]!;
    while (((word & ~letters[byte]!) | specials[byte]!) === 0) {
      // addLetter, for a letter; else nothing
      word = (Math.imul(word ^ (byte | 32), 0x01000193) + 0x9e37) & letters[byte]!;
      // A blank behind a blank leaves the hash as it is: it adds 0 and multiplies by 1.
      const same = blanks[byte]! & gap;
      hash = Math.imul(hash ^ (folded[byte]! & ~same), (0x01000193 & ~same) - same);
      gap = blanks[byte]!;
      byte = pad[++i]!;
    }
    let code = byte;
    let next = i + 1;
    if (byte >= 128) {
      if (byte === sentinel) break;
      code = codeAt(i);
      next = i + (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
      if (code > 160) {
        // A letter. Hashes are of the units of a string, of which some characters have two.
        if (code >= 0x10000) {
          const high = 0xd800 + ((code - 0x10000) >> 10);
          word = addLetter(word, high);
          hash = Math.imul(hash ^ high, 0x01000193);
          code = 0xdc00 + (code & 0x3ff);
        }
        word = addLetter(word, code);
        hash = Math.imul(hash ^ code, 0x01000193);
        gap = 0;
        i = next;
        continue;
      }
    }
    if (word !== 0) {
      cues |= cuesOf(word);
      if (pad[i - 2] === 111 && isErrorName(i)) cues |= cue.complaint;
      shape = (Math.imul(shape ^ (isEcho(word, callWords) ? 35 : word), 0x85ebca6b) + 1) | 0;
      lastWord = word;
      lastEnd = i;
      word = 0;
    }
    if (specials[byte] !== 0) {
      if (code === 160) {
        if (gap === 0) hash = Math.imul(hash ^ 32, 0x01000193);
        gap = -1;
        i = next;
        continue;
      }
      gap = 0;
      let end = i; // of the volatile thing that begins here
      if (isDigit(code)) {
        let number = addDigit(0, code);
        for (; isDigit(pad[next]!); next++) number = addDigit(number, pad[next]!);
        shape = (Math.imul(shape ^ (isEcho(number, callWords) ? 35 : number), 0x85ebca6b) + 1) | 0;
        const isCounted = i - lastEnd <= 3 && isCounter(lastWord) && !hasNewline(lastEnd, i);
        end = volatileEnd(pad, i, next, isCounted);
      } else if (code === 58) {
        if (saysNothing(i + 1)) cues |= cue.nothing;
        if (isIdLabel(i)) end = idEnd(pad, i);
      }
      if (end > i) {
        // A counter or a time; or, with the colon of "Chunk ID: 3fa2b1", what names this one result.
        hash = Math.imul(hash ^ 35, 0x01000193);
        for (; i < end; i++) if (pad[i]! > 32) rest = (Math.imul(rest ^ pad[i]!, 0x85ebca6b) + 1) | 0;
        continue;
      }
      hash = Math.imul(hash ^ code, 0x01000193);
      // A number of substance is read whole, or its middle would be looked at as if it stood alone.
      if (code !== 58 && code < 128) for (let k = i + 1; k < next; k++) hash = Math.imul(hash ^ pad[k]!, 0x01000193);
      i = next;
    }
  }
  reading.hash = hash;
  reading.rest = rest;
  reading.shape = shape;
  reading.cues = cues;
  reading.word = word;
  reading.gap = gap;
}

// The words of the call, marked by the slot they fall into: most words are told at once not to be among them.
const slots = 256;
const marks = new Int32Array(slots);
let mark = 0;

function markEchoes(words: readonly number[]): void {
  mark = (mark + 1) | 0;
  for (const word of words) marks[word & (slots - 1)] = mark;
}

function isEcho(word: number, words: readonly number[]): boolean {
  return marks[word & (slots - 1)] === mark && words.includes(word);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 160;
}

/** The character whose bytes begin at `at`. */
function codeAt(at: number): number {
  const lead = pad[at]!;
  const second = pad[at + 1]! & 63;
  if (lead < 0xe0) return ((lead & 31) << 6) | second;
  const third = pad[at + 2]! & 63;
  if (lead < 0xf0) return ((lead & 15) << 12) | (second << 6) | third;
  return ((lead & 7) << 18) | (second << 12) | (third << 6) | (pad[at + 3]! & 63);
}

/** Whether the word that ends at `end` is the name of an error: …Error, …Exception. */
function isErrorName(end: number): boolean {
  const last = pad[end - 1];
  if (last === 114) return pad[end - 2] === 111 && pad[end - 3] === 114 && pad[end - 4] === 114;
  return last === 110 && pad[end - 2] === 111 && pad[end - 4] === 116 && pad[end - 5] === 112;
}

function isIdLabel(colon: number): boolean {
  return (pad[colon - 1]! | 32) === 100 && (pad[colon - 2]! | 32) === 105;
}

/** Whether what stands behind a colon may be one of the words for nothing: none, null, nil, empty, 0. */
function saysNothing(at: number): boolean {
  if (pad[at] === 32) at++;
  if (pad[at] === 40) at++;
  const first = pad[at]! | 32;
  const second = pad[at + 1]! | 32;
  const third = pad[at + 2]! | 32;
  if (first === 110)
    return (second === 111 && third === 110) || (second === 117 && third === 108) || (second === 105 && third === 108);
  if (first === 101) return second === 109 && third === 112;
  return pad[at] === 48 && !isDigit(pad[at + 1]!);
}

/** Words after which a number is a counter, a place in a script or a number of a process. */
const counters = new Set(
  'line pid process thread attempt try retry retries took elapsed duration time seconds id tid visited'
    .split(' ')
    .map(wordHash),
);

const counterSlots = new Uint8Array(slots);
for (const word of counters) counterSlots[word & (slots - 1)] = 1;

function isCounter(word: number): boolean {
  return counterSlots[word & (slots - 1)] === 1 && counters.has(word);
}

function hasNewline(from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (pad[k] === 10) return true;
  return false;
}
