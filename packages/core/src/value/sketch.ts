import { addDigit, addLetter } from './words.js';

/**
 * What the words of an input tell: a one-permutation MinHash of them (eight buckets of four bits: the share of buckets in
 * which two agree estimates how many words two texts have in common, at the price of one hash per word), the first of
 * them, and how many digits there were.
 */
export interface Sketch {
  readonly buckets: Uint8Array;
  readonly words: number[];
  digits: number;
}

const size = 8;
const empty = 15;
/** All numbers are one word: near-equal inputs often differ in a line number alone. */
const anyNumber = 0x5bd1e995;
export const mostWords = 24;
/** What stands beyond is the same text's tail; the head tells enough. */
const longest = 1024;

// One pad for all: a sketch is started, filled and packed within one call, and typed arrays are dear to make.
const pad: { -readonly [Key in keyof Sketch]: Sketch[Key] } = { buckets: new Uint8Array(size), words: [], digits: 0 };

export function startSketch(): Sketch {
  pad.buckets.fill(empty);
  pad.words = [];
  pad.digits = 0;
  return pad;
}

/**
 * Adds the words of a command or a phrase to the sketch, and gives the hash with the whole of it, in one pass: white space inside a line counts
 * as one space and at its end not at all, but the indentation of a line is substance.
 */
export function addPhrase(sketch: Sketch, hash: number, text: string): number {
  let word = 0;
  let number = 0;
  let from = 0; // where the white space before the character at hand begins
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 32;
    const digit = code >= 48 && code <= 57;
    const letter = (lower >= 97 && lower <= 122) || code > 160;
    if (word !== 0 && !letter) word = addWord(sketch, word, word);
    if (number !== 0 && !digit) number = addWord(sketch, number, anyNumber);
    if (letter) word = addLetter(word, code > 160 ? code : lower);
    else if (digit) {
      number = addDigit(number, code);
      sketch.digits++;
    } else if (code <= 32 || code === 160) continue;
    if (i > from) {
      let indent = from === 0;
      for (let k = from; k < i; k++) {
        const space = text.charCodeAt(k);
        if (space === 10) indent = true;
        else if (!indent || space === 13) continue;
        hash = Math.imul(hash ^ space, 0x01000193);
      }
      if (!indent) {
        hash = Math.imul(hash ^ 32, 0x01000193);
      }
    }
    from = i + 1;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  if (word !== 0) addWord(sketch, word, word);
  if (number !== 0) addWord(sketch, number, anyNumber);
  return hash;
}

export function addWords(sketch: Sketch, text: string): void {
  const end = Math.min(text.length, longest);
  let word = 0;
  let number = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    const lower = code | 32;
    if (code >= 48 && code <= 57) {
      if (word !== 0) word = addWord(sketch, word, word);
      number = addDigit(number, code);
      sketch.digits++;
    } else if ((lower >= 97 && lower <= 122) || code > 160) {
      if (number !== 0) number = addWord(sketch, number, anyNumber);
      word = addLetter(word, code > 160 ? code : lower);
    } else {
      if (word !== 0) word = addWord(sketch, word, word);
      if (number !== 0) number = addWord(sketch, number, anyNumber);
    }
  }
}

/** Always 0: the word is over. */
function addWord({ buckets, words }: Sketch, word: number, counted: number): number {
  if (words.length < mostWords && !words.includes(word)) words.push(word);
  const mixed = Math.imul(counted ^ (counted >>> 15), 0x85ebca6b) >>> 0;
  const value = (mixed >>> 8) & 15;
  if (value < buckets[mixed & 7]!) buckets[mixed & 7] = value;
  return 0;
}

/** The buckets as one number, for states and snapshots. */
export function packSketch({ buckets }: Sketch): number {
  let packed = 0;
  for (let i = 0; i < size; i++) packed = (packed << 4) | buckets[i]!;
  return packed;
}

/** 0..1: the share of buckets that agree, buckets empty in both left out. */
export function similarity(a: number, b: number): number {
  if (a === b) return 1;
  let same = 0;
  let filled = 0;
  for (let i = 0; i < size; i++) {
    const left = (a >>> (i * 4)) & 15;
    const right = (b >>> (i * 4)) & 15;
    if (left === empty && right === empty) continue;
    filled++;
    if (left === right) same++;
  }
  return filled === 0 ? 1 : same / filled;
}
