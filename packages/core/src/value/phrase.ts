import { addItem, createMinima, type Minima, packSketch, resetMinima, type Sketch } from './sketch.js';
import { addDigit, addLetter } from './words.js';

/**
 * What one pass over the texts of an input yields beside their hash: a sketch of their words, the hashes of the first
 * words, and a hash (`skeleton`) in which every number counts the same unless it is part of a long id.
 */
export interface Phrases {
  readonly minima: Minima;
  words: number[];
  skeleton: number;
}

const mostWords = 48;
/** The rest of a longer content is not read: its beginning tells enough. */
const longest = 1024;
/** A run of letters and digits of this length names one thing; a shorter number is a place or a count. */
const idLength = 8;

// One for all: an input is read within one call, and typed arrays are expensive to make.
const pad: Phrases = { minima: createMinima(), words: [], skeleton: 0 };

export function startPhrases(): Phrases {
  resetMinima(pad.minima);
  pad.words = [];
  mark = (mark + 1) | 0;
  pad.skeleton = 0;
  return pad;
}

export function sketchOfPhrases({ minima }: Phrases): Sketch {
  return packSketch(minima);
}

// What a character is.
const letter = 0;
const digit = 1;
const blank = 2;
const other = 3;
const kinds = new Uint8Array(256);
for (let code = 0; code <= 160; code++) {
  const lower = code | 32;
  if (code >= 48 && code <= 57) kinds[code] = digit;
  else if (code <= 32 || code === 160) kinds[code] = blank;
  else kinds[code] = lower >= 97 && lower <= 122 ? letter : other;
}

function kindOf(code: number): number {
  return code < 256 ? kinds[code]! : letter;
}

/**
 * Adds the words of a command or a phrase, and returns the hash with all of it added. White space inside a line counts
 * as one space, at the end of a line it does not count, but the indentation of a line counts unchanged.
 */
export function addPhrase(phrases: Phrases, hash: number, text: string): number {
  const end = text.length;
  let token = 0; // the current run of letters and digits, where it begins, and whether it has a digit
  let start = 0;
  let mixed = false;
  let { skeleton } = phrases;
  let from = 0; // where the white space before the current character begins
  let i = 0;
  while (i < end) {
    let code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind >= blank) {
      if (mixed && i - start >= idLength) skeleton = Math.imul(skeleton ^ token, 0x85ebca6b);
      token = 0;
      start = ++i;
      mixed = false;
      if (kind === blank) continue;
    }
    skeleton = Math.imul(skeleton ^ (kind === digit ? 35 : code), 0x01000193);
    const gap = kind === other ? i - 1 : i; // where the white space ends
    if (gap > from) {
      let indent = from === 0;
      for (let k = from; k < gap; k++) {
        const space = text.charCodeAt(k);
        if (space === 10) indent = true;
        else if (!indent || space === 13) continue;
        hash = Math.imul(hash ^ space, 0x01000193);
        skeleton = Math.imul(skeleton ^ space, 0x01000193);
      }
      if (!indent) hash = Math.imul(hash ^ 32, 0x01000193);
    }
    hash = Math.imul(hash ^ code, 0x01000193);
    if (kind === letter) {
      let word = 0;
      for (;;) {
        word = addLetter(word, code > 160 ? code : code | 32);
        token = Math.imul(token ^ code, 0x01000193);
        if (++i >= end) break;
        code = text.charCodeAt(i);
        if (kindOf(code) !== letter) break;
        skeleton = Math.imul(skeleton ^ code, 0x01000193);
        hash = Math.imul(hash ^ code, 0x01000193);
      }
      addWord(phrases, word);
    } else if (kind === digit) {
      let number = 0;
      for (;;) {
        number = addDigit(number, code);
        token = Math.imul(token ^ code, 0x01000193);
        if (++i >= end) break;
        code = text.charCodeAt(i);
        if (kindOf(code) !== digit) break;
        hash = Math.imul(hash ^ code, 0x01000193);
      }
      mixed = true;
      noteWord(phrases, number);
    }
    from = i;
  }
  if (mixed && end - start >= idLength) skeleton = Math.imul(skeleton ^ token, 0x85ebca6b);
  phrases.skeleton = skeleton;
  return hash;
}

const figures = new Uint8Array(idLength - 1);

/** Adds a number as `addPhrase` would add its digits. Most numbers are small and need not become a text first. */
export function addNumber(phrases: Phrases, hash: number, value: number): number {
  const { skeleton } = phrases;
  if (!(value >= 0 && value < 10 ** (idLength - 1) && (value | 0) === value)) {
    hash = addPhrase(phrases, hash, String(value));
    // In the skeleton, a longer number counts with its digits; a sign or a fraction is part of a shorter one.
    if (Math.abs(value) < 10 ** (idLength - 1)) phrases.skeleton = Math.imul(skeleton ^ 35, 0x01000193);
    return hash;
  }
  let from = figures.length;
  for (let left = value; left > 0 || from === figures.length; left = (left / 10) | 0)
    figures[--from] = 48 + (left % 10);
  let number = 0;
  for (; from < figures.length; from++) {
    number = addDigit(number, figures[from]!);
    hash = Math.imul(hash ^ figures[from]!, 0x01000193);
  }
  phrases.skeleton = Math.imul(skeleton ^ 35, 0x01000193);
  noteWord(phrases, number);
  return hash;
}

/** Adds the words of a long content. The caller adds it to the skeleton. */
export function addWords(phrases: Phrases, text: string): void {
  const end = Math.min(text.length, longest);
  let word = 0;
  let number = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    const lower = code | 32;
    if (code >= 48 && code <= 57) {
      if (word !== 0) word = addWord(phrases, word);
      number = addDigit(number, code);
    } else if ((lower >= 97 && lower <= 122) || code > 160) {
      if (number !== 0) number = noteWord(phrases, number);
      word = addLetter(word, code > 160 ? code : lower);
    } else {
      if (word !== 0) word = addWord(phrases, word);
      if (number !== 0) number = noteWord(phrases, number);
    }
  }
}

/** Adds a finished word. Always returns 0, with which the next word starts. */
function addWord(phrases: Phrases, word: number): number {
  addItem(phrases.minima, word);
  return noteWord(phrases, word);
}

/** Also for numbers: they are not part of the sketch, but their echo in a result can be recognised too. */
function noteWord({ words }: Phrases, word: number): number {
  if (words.length >= mostWords || (marks[word & (slots - 1)] === mark && words.includes(word))) return 0;
  marks[word & (slots - 1)] = mark;
  words.push(word);
  return 0;
}

// Marks the slots of the words of the current input: an unmarked slot shows at once that a word is new.
const slots = 256;
const marks = new Int32Array(slots);
let mark = 0;
