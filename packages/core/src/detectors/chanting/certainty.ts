import type { RepeatedUnit } from '../../text/repeated-unit.js';

/** No text is a chant with fewer repeated characters. */
export const leastCertain = 240;

/**
 * How many characters must have repeated, not counting the first time, before it is certainly a chant. Sentences need
 * few: people and healthy models do not repeat them at once. What good text repeats too (ruled lines, tables, code,
 * data) needs more, and the simpler it is the more.
 */
export function certainWhenExact(unit: RepeatedUnit): number {
  if (!hasWords(unit)) return structure(unit);
  const { length } = unit;
  const code = Math.max(1500, length * (length < 500 ? 5 : 3));
  return between(sentences(unit), code, isRecord(unit) ? 1 : codeShare(unit, 0.08, 0.25));
}

/** The same if digits change from round to round: a counter, a date, or a table of numbers, which is not a chant. */
export function certainWhenDrifting(unit: RepeatedUnit): number {
  if (!hasWords(unit) || unit.letters < 4) return Number.POSITIVE_INFINITY;
  const { length, letters } = unit;
  const rounds = letters >= 120 ? 4 : letters >= 40 ? 10 : letters >= 20 ? 30 : 100;
  const code = Math.max(4000, length * (length < 500 ? 40 : 5));
  return between(Math.max(600, length * rounds), code, isRecord(unit) ? 1 : codeShare(unit, 0.06, 0.14));
}

/** The same for entries of a numbered list, or numbered rows of a table, in which nothing but the number changes. */
export function certainWhenNumbered(unit: RepeatedUnit): number {
  const { length, letters, ideographs, newlines } = unit;
  // A short entry may be a proper answer for each of many things. An ideograph says as much as two letters.
  if (letters + ideographs < 20 * newlines) return certainWhenDrifting(unit);
  return Math.max(leastCertain, length * (letters >= 120 ? 3 : letters >= 40 ? 5 : 8));
}

/** A line of a log, a list or data: sentences in lines have a full stop. */
function isRecord({ newlines, stops, cries, ideographs }: RepeatedUnit): boolean {
  return newlines > 0 && stops === 0 && cries === 0 && ideographs === 0;
}

function sentences({ length, blanks, ideographs }: RepeatedUnit): number {
  // A paragraph is certain when it comes for the third time; a long one need not even be complete.
  if (length >= 200) return length * Math.max(1.8, 1.95 - (length - 200) / 1000);
  const least = blanks === 0 && ideographs === 0 ? 800 : leastCertain;
  return Math.max(least, length * (length < 50 ? 5 : length < 100 ? 4 : 2.7));
}

/** For text without words: a ruled line, a frame, an empty table, zeros, many line breaks or one letter. */
function structure({ length, blanks, newlines, rules, cries }: RepeatedUnit): number {
  if (cries > 0) return Math.max(600, length * 8);
  if (blanks === length && newlines > 0) return 400;
  if (newlines > 0) return Math.max(rules > 0 ? 3000 : 1200, length * 8);
  return Math.max(2000, length * 8);
}

function hasWords({ distinct, letters, length }: RepeatedUnit): boolean {
  return distinct >= 2 && letters * 5 >= length;
}

/** 0 up to a share of marks that sentences have too (`few`), 1 from that of code (`many`) or with table bars. */
function codeShare({ marks, rules, length, blanks }: RepeatedUnit, few: number, many: number): number {
  if (rules > 0) return 1;
  const share = marks / (length - blanks);
  return Math.min(1, Math.max(0, (share - few) / (many - few)));
}

function between(low: number, high: number, share: number): number {
  return low + (Math.max(low, high) - low) * share;
}
