import type { Json } from '../event.js';
import { packUnits, unpackUnits } from '../value/pack.js';
import { countsOf } from './saved-counts.js';
import { block, eventAt, mix, type Words } from './words.js';

/**
 * Measures whether a text still says anything new. It reads three words at a time. Three words that came together at
 * least three times before raise the score by the letters of the last one. Three that never came together lower it, and
 * lower it more when the last word itself is new. The second and third time do not count, so that a block that is
 * pasted once or twice more proves nothing. The score does not fall below zero (Page's cumulative sum): it is the
 * amount of repetition that new text has not made up for. Words inside fences and after the marks of code and data
 * raise it less; numbers, drawings and words that repeat the word before (a grid of `false`) do not raise it.
 */
export interface NoveltyMeter {
  /** Sets of two triples, the last used one first: 14 bits of hash and how often it came, up to 3. */
  readonly triples: Uint16Array;
  /** A filter (one bit per hash) of the words that came. */
  readonly words: Uint16Array;
  /** Characters of this message up to the last word and what ended it. */
  offset: number;
  /** The two words before. */
  last: number;
  beforeLast: number;
  /** In tenths of a letter. */
  score: number;
  /** The offset at which the score rose from zero, and the event of that character. */
  from: number;
  since: number;
  /** The score at which the next look is due. */
  next: number;
  /** 1 when this rise was reported. */
  told: number;
}

const { hashes, letters: lettersOf, offsets, coded } = block;
const sets = 2048;
const filterBits = 8192;
/** Three words that came this often before are stale. */
const often = 3;
const worthInSentence = 10;
const worthInCode = 3;
/** By how much three words that never came together lower the score, and by how much more a new word does. */
const freshCost = 100;
const unheardCost = 200;
/** Longer words count as this many letters. */
const longWord = 8;
const firstLook = 1000;

export function startNoveltyMeter(): NoveltyMeter {
  return { triples: new Uint16Array(sets * 2), words: new Uint16Array(filterBits / 16), ...startCounts() };
}

function startCounts() {
  return { offset: 0, last: 0, beforeLast: 0, score: 0, from: 0, since: 0, next: firstLook, told: 0 };
}

/** A new message begins: everything in it is new. */
export function endMeteredMessage(meter: NoveltyMeter): void {
  if (meter.offset === 0) return;
  meter.triples.fill(0);
  meter.words.fill(0);
  Object.assign(meter, startCounts());
}

/** See `TextMachine.advance`: a look is due when the score is high enough. The code that looks then sets `next`. */
export function advanceMeter(meter: NoveltyMeter, words: Words, from: number): number {
  const { count } = words;
  for (let k = from; k < count; k++) {
    note(meter, words, k);
    if (meter.score >= meter.next) return ~(k + 1);
  }
  return count;
}

/** Whether the text repeats itself just now. */
export function isCircling({ score }: NoveltyMeter): boolean {
  return score > 0;
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

/** Takes word `k` of the block into account. */
function note(meter: NoveltyMeter, words: Words, k: number): void {
  const offset = words.offset + offsets[k]! + 1; // behind what ended it
  const word = hashes[k]!;
  const { last, beforeLast } = meter;
  const triple = mix(Math.imul(beforeLast, 0x85ebca6b) + Math.imul(last, 0xc2b2ae35) + word);
  meter.offset = offset;
  meter.beforeLast = last;
  meter.last = word;
  const before = timesBefore(meter.triples, triple);
  if (before >= often) {
    const letters = lettersOf[k]!;
    if (letters === 0 || word === last || word === beforeLast) return;
    if (meter.score === 0) {
      meter.from = offset;
      meter.since = eventAt(words, offset);
      meter.next = firstLook;
      meter.told = 0;
    }
    meter.score += (Math.min(letters, longWord) + 1) * (coded[k] === 0 ? worthInSentence : worthInCode);
  } else if (before === 0) {
    const cost = hear(meter.words, word) ? freshCost : freshCost + unheardCost;
    if (meter.score > 0) meter.score = Math.max(0, meter.score - cost);
  }
}

/** Counts a triple, and returns how often it came before, up to 3; 0 if it was pushed out of its set. */
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

/** Records a word, and returns whether it came before. */
function hear(words: Uint16Array, word: number): boolean {
  const bit = word >>> 19;
  const flag = 1 << (bit & 15);
  const flags = words[bit >>> 4]!;
  words[bit >>> 4] = flags | flag;
  return (flags & flag) !== 0;
}
