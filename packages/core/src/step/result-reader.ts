import { startHash } from '../value/fingerprint.js';
import { addItem, createMinima, emptySketch, packSketch, resetMinima, type Sketch } from '../value/sketch.js';
import { encodeUtf8 } from '../value/utf8.js';
import { addDigit, addLetter, wordHash } from '../value/words.js';
import { cue, cuesOf } from './cues.js';
import { idEnd, volatileEnd } from './volatile-bytes.js';

/** What one pass over a result gives. The hashes in it are not finished yet (see `digest`). */
export interface ResultReading {
  /** Hash of the text (white space folded, one sign for each volatile part), and hash of the volatile parts. */
  hash: number;
  rest: number;
  /** Sketch of its word pairs. One sign stands for every number, another for every word of the call. */
  sketch: Sketch;
  /** Sketch of its numbers, without volatile ones, parts of long ids and those of the call. */
  numbers: Sketch;
  /** How many letters it has. */
  letters: number;
  /** What its words may mean (see `cues.ts`). */
  cues: number;
  /** What the last word may mean. */
  meaning: number;
  /** The current word, 0 between words; the word, number or sign before it; -1 directly after white space, else 0. */
  word: number;
  before: number;
  gap: number;
}

/** Longer texts are read in blocks, so that the scratch pad stays small and the data stays in the processor's cache. */
const blockLength = 16_384;
/** A block ends after the last line break, else the last space, in this many characters at its end; else when full. */
const leeway = 2048;
// Scratch pads. Every call writes them before it reads them, so no state is kept between calls.
const pairs = createMinima();
const figures = createMinima();
const pad = new Uint8Array(blockLength * 3 + 8);
const reading: ResultReading = {
  hash: startHash,
  rest: 0,
  sketch: emptySketch,
  numbers: emptySketch,
  letters: 0,
  cues: 0,
  meaning: 0,
  word: 0,
  before: 0,
  gap: 0,
};

/** Not a byte of UTF-8. It is put after a block, so that runs of letters and digits end there. */
const sentinel = 0xff;

// The kinds of bytes. `special` needs a closer look: digits, colons, and characters beyond ASCII.
const other = 0;
const letter = 1;
const blank = 2;
const special = 3;
const kinds = new Uint8Array(256);
for (let code = 0; code < 256; code++) {
  const lower = code | 32;
  if (code >= 128 || code === 58 || isDigit(code)) kinds[code] = special;
  else if (lower >= 97 && lower <= 122) kinds[code] = letter;
  else kinds[code] = code <= 32 ? blank : other;
}

/**
 * Reads a result in one pass over its bytes, because results can be long. Returns fingerprints, and what its words may
 * mean. One hash is of the masked text, one of what was masked; together they tell unmasked texts apart. The returned
 * object is valid until the next call.
 */
export function readResult(text: string, callWords: readonly number[]): ResultReading {
  reading.hash = startHash;
  reading.rest = reading.letters = reading.cues = reading.meaning = reading.word = reading.before = reading.gap = 0;
  resetMinima(pairs);
  resetMinima(figures);
  let from = 0;
  let end = text.length;
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (from < end && isBlank(text.charCodeAt(end - 1))) end--;
  markEchoes(callWords);
  while (from < end) {
    const to = blockEnd(text, from, end);
    const whole = from === 0 && to === text.length;
    const length = encodeUtf8(whole ? text : text.slice(from, to), pad);
    for (let k = length; k < length + 5; k++) pad[k] = sentinel;
    readBlock(callWords);
    from = to;
    if (from === end && reading.word !== 0) endWord(length, callWords);
  }
  reading.sketch = packSketch(pairs);
  reading.numbers = packSketch(figures);
  return reading;
}

/** The text ends with a word. */
function endWord(end: number, callWords: readonly number[]): void {
  const { word } = reading;
  const meaning = cuesOf(word);
  reading.cues |= meaning | waitIn(reading.meaning, meaning) | (isErrorName(end) ? cue.complaint : 0);
  addPair(reading.before, isEcho(word, callWords) ? echo : word);
}

/** The cue for a wait, when two words mean one together. */
function waitIn(last: number, meaning: number): number {
  return (last & cue.before) !== 0 && (meaning & cue.after) !== 0 ? cue.wait : 0;
}

/** Adds a word, number or sign together with the one before it, and returns it. */
function addPair(before: number, item: number): number {
  addItem(pairs, (Math.imul(before ^ item, 0x9e3779b1) + item) | 0);
  return item;
}

/** The signs for a number and for a word of the call. */
const anyNumber = 35;
const echo = 64;

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
 * Most bytes are letters, which an inner loop handles. Rare cases have functions of their own, because an engine
 * discards the compiled code of this one when it meets a case that it has not seen before.
 */
function readBlock(callWords: readonly number[]): void {
  // `| 0` tells the engine that these are integers; it cannot know that of fields.
  let hash = reading.hash | 0;
  let before = reading.before | 0;
  let letters = reading.letters | 0;
  let cues = reading.cues | 0;
  let word = reading.word | 0;
  let gap = reading.gap | 0;
  let lastWord = 0;
  let lastMeaning = reading.meaning | 0;
  let lastEnd = -9;
  let start = 0; // of the current word
  let hashBefore = hash; // the hash before that word
  let i = 0;
  for (;;) {
    let byte = pad[i]!;
    let kind = kinds[byte]!;
    if (kind === letter) {
      const from = i;
      if (word === 0) {
        start = i;
        hashBefore = hash;
      }
      do {
        // addLetter
        word = (Math.imul(word ^ (byte | 32), 0x01000193) + 0x9e37) | 0;
        hash = Math.imul(hash ^ byte, 0x01000193);
        byte = pad[++i]!;
        kind = kinds[byte]!;
      } while (kind === letter);
      letters += i - from;
      gap = 0;
    }
    if (byte === sentinel) break;
    if (byte >= 128 && isWideLetter(codeAt(i))) {
      if (word === 0) start = i;
      reading.hash = hash;
      reading.word = word;
      i = readWideLetter(i);
      letters++;
      hash = reading.hash | 0;
      word = reading.word | 0;
      gap = 0;
      continue;
    }
    if (word !== 0) {
      const end = isDigit(byte) && isHexLetter(pad[i - 1]!) && !isDigit(pad[start - 1]!) ? hexEnd(start) : i;
      if (end > i) {
        before = addPair(before, anyNumber);
        hash = Math.imul(hashBefore ^ 35, 0x01000193);
        reading.rest = addVolatile(reading.rest, start, end);
        word = 0;
        i = end;
        continue;
      }
      const meaning = cuesOf(word);
      cues |= meaning | waitIn(lastMeaning, meaning);
      lastMeaning = meaning;
      if ((pad[i - 2]! | 32) === 111 && isErrorName(i)) cues |= cue.complaint;
      const isPart = (isDigit(byte) || isDigit(pad[start - 1]!)) && isId(start, i);
      before = addPair(before, isPart ? anyNumber : isEcho(word, callWords) ? echo : word);
      // In "ref=e619" the number belongs to "ref", not to the letter before it.
      if (!isDigit(byte) || i - start > 2 || start - lastEnd !== 1 || pad[lastEnd] !== 61 || !isCounter(lastWord)) {
        lastWord = word;
        lastEnd = i;
      }
      word = 0;
    }
    if (kind === blank) {
      if (gap === 0) hash = Math.imul(hash ^ 32, 0x01000193);
      gap = -1;
      do i++;
      while (kinds[pad[i]!] === blank);
    } else if (kind === other) {
      hash = Math.imul(hash ^ byte, 0x01000193);
      gap = 0;
      i++;
    } else if (byte < 128) {
      let next = i + 1;
      let end = i; // of the volatile thing that begins here
      let hashWith = Math.imul(hash ^ byte, 0x01000193); // the hash when it is not volatile
      if (byte === 58) {
        if (isIdLabel(i)) end = idEnd(pad, i);
      } else {
        // The whole number is read, else its middle would be looked at as a number of its own. And it is read only
        // once, because the processor guesses its end wrong each time.
        let number = addDigit(0, byte);
        for (; isDigit(pad[next]!); next++) {
          number = addDigit(number, pad[next]!);
          hashWith = Math.imul(hashWith ^ pad[next]!, 0x01000193);
        }
        const whole = next;
        if (pad[next] === 46 && isDigit(pad[next + 1]!)) {
          hashWith = Math.imul(hashWith ^ 46, 0x01000193);
          for (next++; isDigit(pad[next]!); next++) {
            number = addDigit(number, pad[next]!);
            hashWith = Math.imul(hashWith ^ pad[next]!, 0x01000193);
          }
        }
        before = addPair(before, anyNumber);
        if (lastEnd === i && (lastMeaning & cue.code) !== 0) cues |= cue.complaint;
        const isCounted = i - lastEnd <= 3 && isCounter(lastWord) && !hasNewline(lastEnd, i);
        end = kinds[pad[i - 1]!] === letter || !isHexLetter(pad[whole]!) ? i : hexEnd(i);
        if (end === i) end = isNameOfLine(i, whole) ? whole : volatileEnd(pad, i, whole, isCounted);
        if (end === i && !isId(i, whole) && !isEcho(number, callWords)) addItem(figures, number);
      }
      gap = 0;
      if (end > i) {
        // A counter or a time; or, from the colon of "Chunk ID: 3fa2b1" on, the id of this one result.
        hash = Math.imul(hash ^ 35, 0x01000193);
        reading.rest = addVolatile(reading.rest, i, end);
        i = end;
      } else {
        hash = hashWith;
        i = next;
      }
    } else {
      // A character between ASCII and the letters (a blank or a control character), or one that is a word by itself.
      const code = codeAt(i);
      if (code !== 160) hash = Math.imul(hash ^ code, 0x01000193);
      else if (gap === 0) hash = Math.imul(hash ^ 32, 0x01000193);
      gap = code === 160 ? -1 : 0;
      if (code > 160) {
        const sign = addLetter(0, code);
        before = addPair(before, isEcho(sign, callWords) ? echo : sign);
        letters += lettersOfSign;
      }
      i += code > 160 ? 3 : 2;
    }
  }
  reading.hash = hash;
  reading.before = before;
  reading.letters = letters;
  reading.cues = cues;
  reading.meaning = lastMeaning;
  reading.word = word;
  reading.gap = gap;
}

/**
 * Whether a number in brackets is an id that is new in each result: at the beginning of a line, as in the tree of a
 * page, or after the name of a process in a log: `sshd[2227]:`.
 */
function isNameOfLine(from: number, to: number): boolean {
  if (pad[from - 1] !== 91 || pad[to] !== 93) return false;
  if (kinds[pad[from - 2]!] === letter) return pad[to + 1] === 58 && to - from >= 3;
  let at = from - 2;
  while (pad[at] === 32 || pad[at] === 9) at--;
  return at < 0 || pad[at] === 10;
}

/** Whether a number is part of a long run of letters and digits: an id, which only tells which thing is meant. */
function isId(from: number, to: number): boolean {
  const most = 8;
  while (to - from < most && (isDigit(pad[from - 1]!) || kinds[pad[from - 1]!] === letter)) from--;
  while (to - from < most && (isDigit(pad[to]!) || kinds[pad[to]!] === letter)) to++;
  return to - from >= most;
}

/** The end of the hexadecimal id at `at`: eight digits or more, letters among them. `at` itself if there is none. */
function hexEnd(at: number): number {
  let end = at;
  let digits = 0;
  while (end < at + longestId && (isDigit(pad[end]!) || isHexLetter(pad[end]!))) if (isDigit(pad[end++]!)) digits++;
  const isWhole = end - at >= 8 && kinds[pad[end]!] !== letter && !isDigit(pad[end]!);
  return isWhole && digits >= 2 && end - at - digits >= 1 ? end : at;
}

const longestId = 64;

function isHexLetter(byte: number): boolean {
  return (byte | 32) >= 97 && (byte | 32) <= 102;
}

/** Reads a letter beyond ASCII and returns its end. Hashes are of UTF-16 units, of which some characters have two. */
function readWideLetter(at: number): number {
  let code = codeAt(at);
  const end = at + (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  if (code >= 0x10000) {
    const high = 0xd800 + ((code - 0x10000) >> 10);
    reading.word = addLetter(reading.word, high);
    reading.hash = Math.imul(reading.hash ^ high, 0x01000193);
    code = 0xdc00 + (code & 0x3ff);
  }
  reading.word = addLetter(reading.word, code);
  reading.hash = Math.imul(reading.hash ^ code, 0x01000193);
  return end;
}

/** Whether a character beyond ASCII is a letter of a word. Chinese and Japanese have no blanks: each sign is a word. */
function isWideLetter(code: number): boolean {
  return code > 160 && !((code >= 0x3040 && code < 0x3100) || (code >= 0x3400 && code < 0xa000));
}

/** How many letters of other languages such a character counts as. */
const lettersOfSign = 3;

/** Volatile parts are hashed separately from the text around them. */
function addVolatile(rest: number, from: number, end: number): number {
  for (let k = from; k < end; k++) if (pad[k]! > 32) rest = (Math.imul(rest ^ pad[k]!, 0x85ebca6b) + 1) | 0;
  return rest;
}

// The words of the call, marked by slot, so that most other words are ruled out at once.
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
  const last = pad[end - 1]! | 32;
  if ((pad[end - 2]! | 32) !== 111) return false;
  if (last === 114) return (pad[end - 3]! | 32) === 114 && (pad[end - 4]! | 32) === 114;
  return last === 110 && (pad[end - 4]! | 32) === 116 && (pad[end - 5]! | 32) === 112;
}

function isIdLabel(colon: number): boolean {
  return (pad[colon - 1]! | 32) === 100 && (pad[colon - 2]! | 32) === 105;
}

/** Words after which a number is a counter, a place in a script or a number of a process. */
const counters = new Set(
  'line pid pids pgid process thread attempt try retry retries took elapsed duration time seconds id tid uid ref visited'
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
