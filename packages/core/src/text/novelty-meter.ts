import type { Json } from '../event.js';
import { packUnits, unpackUnits } from '../value/pack.js';
import { countsOf } from './saved-counts.js';

/**
 * Measures whether a text still says anything new, fed character by character. It reads three words at a time. Three
 * that came at least three times before raise the score by the letters of the last; three that never came lower it, and
 * a word that never came lowers it further; the second and third time count neither way, so that a block which is pasted
 * once or twice more proves nothing. The score does not fall below zero (Page's cumulative sum): it is the length of the
 * going in circles that nothing new has paid for. Between fences and behind the marks of code and data words raise it
 * less; figures, drawings and words that follow themselves (a grid of `false`) not at all.
 */
export interface NoveltyMeter {
  /** Sets of two triples, the one used last in front: 14 bits of hash and how often it came, up to 3. */
  readonly triples: Uint16Array;
  /** A filter of the words that came. */
  readonly words: Uint16Array;
  /** Characters of this message so far. */
  offset: number;
  /** The open word: its hash, 0 for none, and its letters; and the marks of code since the word before. */
  word: number;
  letters: number;
  marks: number;
  /** 1 inside a fence of three backticks; the backticks in a row, and the offset behind the last. */
  fenced: number;
  ticks: number;
  ticked: number;
  /** The two words before. */
  last: number;
  beforeLast: number;
  /** In tenths of a letter. */
  score: number;
  /** Offset at which the score left zero, and the event of that character. */
  from: number;
  since: number;
  /** How high the score must be for the next look. */
  next: number;
  /** 1 when this rise was reported. */
  told: number;
}

const sets = 2048;
const filterBits = 8192;
/** What came so often before is stale. */
const often = 3;
const worthInSentence = 10;
const worthInCode = 3;
/** What three words cost that never came, and a word that never came. */
const freshCost = 100;
const unheardCost = 200;
/** Longer words are worth no more than this many letters. */
const longWord = 8;
const firstLook = 1000;

export function startNoveltyMeter(): NoveltyMeter {
  return { triples: new Uint16Array(sets * 2), words: new Uint16Array(filterBits / 16), ...startCounts() };
}

function startCounts() {
  return {
    offset: 0,
    word: 0,
    letters: 0,
    marks: 0,
    fenced: 0,
    ticks: 0,
    ticked: 0,
    last: 0,
    beforeLast: 0,
    score: 0,
    from: 0,
    since: 0,
    next: firstLook,
    told: 0,
  };
}

/** A new message begins: everything in it is new. */
export function endMeteredMessage(meter: NoveltyMeter): void {
  if (meter.offset === 0) return;
  meter.triples.fill(0);
  meter.words.fill(0);
  Object.assign(meter, startCounts());
}

/** Reads on as `TextMachine.advance` says: a look is due when the score is high enough. Whoever looks sets `next`. */
export function advanceMeter(meter: NoveltyMeter, text: string, from: number, seq: number): number {
  let { word, letters, marks } = meter;
  let k = from;
  let due = false;
  while (k < text.length && !due) {
    const code = text.charCodeAt(k++);
    const low = code | 32;
    if ((low - 97) >>> 0 < 26) {
      word = spell(word, low);
      letters++;
      continue;
    }
    const kind = code < 128 ? kinds[code]! : kindOf(code);
    if (kind <= letter) {
      word = spell(word, code);
      letters += kind;
      continue;
    }
    if (word !== 0) {
      note(meter, word, letters, marks, meter.offset + k - from, seq);
      word = letters = marks = 0;
    }
    if (kind === mark) {
      marks++;
      if (code === 96) tick(meter, meter.offset + k - from);
    } else if (kind >= ideograph) {
      note(meter, code, kind === ideograph ? 2 : 0, marks, meter.offset + k - from, seq);
      marks = 0;
    }
    due = meter.score >= meter.next;
  }
  meter.offset += k - from;
  meter.word = word;
  meter.letters = letters;
  meter.marks = marks;
  return due ? ~k : k;
}

export function saveNoveltyMeter({ triples, words, ...counts }: NoveltyMeter): Json {
  return { ...counts, triples: packUnits(triples), words: packUnits(words) };
}

/** Throws a `TypeError` on what `saveNoveltyMeter` did not make. */
export function loadNoveltyMeter(saved: Json): NoveltyMeter {
  const { triples, words, ...counts } = saved as { triples: string; words: string } & ReturnType<typeof startCounts>;
  const meter = { triples: unpackUnits(triples), words: unpackUnits(words), ...countsOf(startCounts(), counts) };
  if (meter.triples.length !== sets * 2 || meter.words.length * 16 !== filterBits)
    throw new TypeError('the saved novelty meter has the wrong size');
  return meter;
}

/** Takes one word into account, which ended at `offset`. */
function note(meter: NoveltyMeter, word: number, letters: number, marks: number, offset: number, seq: number): void {
  const triple = mix(Math.imul(meter.beforeLast, 0x85ebca6b) + Math.imul(meter.last, 0xc2b2ae35) + word);
  const mixed = mix(word);
  const stammer = mixed === meter.last || mixed === meter.beforeLast;
  meter.beforeLast = meter.last;
  meter.last = mixed;
  const before = timesBefore(meter.triples, triple);
  if (before >= often) {
    if (letters === 0 || stammer) return;
    if (meter.score === 0) {
      meter.from = offset;
      meter.since = seq;
      meter.next = firstLook;
      meter.told = 0;
    }
    meter.score += (Math.min(letters, longWord) + 1) * (marks + meter.fenced === 0 ? worthInSentence : worthInCode);
  } else if (before === 0) {
    const cost = hear(meter.words, word) ? freshCost : freshCost + unheardCost;
    if (meter.score > 0) meter.score = Math.max(0, meter.score - cost);
  }
}

/** A backtick, which ended at `offset`. */
function tick(meter: NoveltyMeter, offset: number): void {
  meter.ticks = offset === meter.ticked + 1 ? meter.ticks + 1 : 1;
  meter.ticked = offset;
  if (meter.ticks === 3) meter.fenced = 1 - meter.fenced;
}

/** How often a triple came before, up to 3, as far as it was not pushed out; counts it. */
function timesBefore(triples: Uint16Array, triple: number): number {
  const front = (triple >>> 21) << 1;
  const tag = (triple & 0x3fff) << 2;
  const first = triples[front]!;
  if ((first & 0xfffc) === tag && (first & 3) !== 0) {
    const times = first & 3;
    if (times < 3) triples[front] = first + 1;
    return times;
  }
  const second = triples[front + 1]!;
  triples[front + 1] = first;
  if ((second & 0xfffc) === tag && (second & 3) !== 0) {
    const times = second & 3;
    triples[front] = times < 3 ? second + 1 : second;
    return times;
  }
  triples[front] = tag | 1;
  return 0;
}

/** Whether the word came before; remembers it. */
function hear(words: Uint16Array, word: number): boolean {
  const bit = mix(word) >>> 19;
  const flag = 1 << (bit & 15);
  const flags = words[bit >>> 4]!;
  words[bit >>> 4] = flags | flag;
  return (flags & flag) !== 0;
}

function spell(word: number, code: number): number {
  return ((word << 5) | (word >>> 27)) ^ code;
}

function mix(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 15);
}

/** Kinds of characters. Numerals are part of words but no letters; ideographs and symbols are words by themselves. */
const numeral = 0;
const letter = 1;
const gap = 2;
const mark = 3;
const ideograph = 4;
const symbol = 5;

const kinds = new Uint8Array(128).fill(gap);
for (const character of '0123456789') kinds[character.charCodeAt(0)] = numeral;
for (const character of '{}[]()<>=;|"`\\/*&%$#@+~^') kinds[character.charCodeAt(0)] = mark;

function kindOf(code: number): number {
  if (code < 0xc0) return gap;
  if (code < 0x2000) return letter;
  if (code < 0x2100) return gap;
  if (code < 0x2e80) return symbol;
  if (code < 0xac00) return code >= 0x3000 && code < 0x3040 ? gap : ideograph;
  return code < 0xf900 ? letter : gap;
}
