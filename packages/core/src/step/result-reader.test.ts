import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startHash } from '../value/fingerprint.js';
import { addDigit, addLetter, wordHash } from '../value/words.js';
import { cue, cuesOf } from './cues.js';
import { readResult } from './result-reader.js';

/**
 * What the reader should give, put down plainly: text is a row of words, numbers, blanks and other characters, which are
 * looked at one after the other, with expressions instead of bytes.
 */
function readPlainly(text: string, callWords: readonly number[]) {
  let [hash, rest, shape, cues] = [startHash, 0, 0, 0];
  let [lastWord, lastEnd, from] = [0, -9, 0];
  let begun = false;
  let gap = false;
  const add = (code: number) => {
    hash = Math.imul(hash ^ code, 0x01000193);
  };
  const say = (token: number) => {
    shape = (Math.imul(shape ^ (callWords.includes(token) ? 35 : token), 0x85ebca6b) + 1) | 0;
  };
  for (;;) {
    token.lastIndex = from;
    const match = token.exec(text);
    if (match === null) return { hash, rest, shape, cues };
    const { 0: found, groups = {}, index } = match;
    from = index + found.length;
    if (groups.blank !== undefined) {
      gap = begun;
      continue;
    }
    if (gap) add(32);
    gap = false;
    begun = true;
    let end = index;
    const behind = (length: number) => text.slice(index + length);
    if (groups.word !== undefined) {
      lastWord = Array.from({ length: found.length }, (_, k) => found.charCodeAt(k)).reduce(
        (word, code) => addLetter(word, code > 160 ? code : code | 32),
        0,
      );
      lastEnd = index + found.length;
      cues |= cuesOf(lastWord) | (/rror$|pt.on$/is.test(found) ? cue.complaint : 0);
      say(lastWord);
    } else if (groups.time !== undefined || groups.number !== undefined) {
      const digits = /^\d+/.exec(found)![0];
      say(Array.from(digits, (digit) => digit.charCodeAt(0)).reduce(addDigit, 0));
      const decimals = /^[.,]\d+/.exec(behind(digits.length))?.[0] ?? '';
      const long = digits.length + decimals.length;
      const between = text.slice(Math.max(lastEnd, 0), index);
      const near = lastEnd >= 0 && Buffer.byteLength(between) <= 3 && !between.includes('\n');
      if (groups.time !== undefined) end = index + found.length;
      else if (long >= 12) end = index + long;
      else if (near && counters.includes(lastWord)) end = index + long + /^[A-Za-z\d]*/.exec(behind(long))![0].length;
      else if (duration.test(behind(long))) end = index + long;
    } else {
      if (found === ':' && /^ ?\(?(?:non|nul|nil|emp|0(?!\d))/i.test(behind(1))) cues |= cue.nothing;
      if (groups.id !== undefined) {
        end = index + found.length;
        if (/^: ?\(?(?:non|nul|nil|emp|0(?!\d))/i.test(found)) cues |= cue.nothing;
      }
    }
    if (end > index) {
      add(35);
      for (let k = index; k < end; k++)
        if (text.charCodeAt(k) > 32) rest = (Math.imul(rest ^ text.charCodeAt(k), 0x85ebca6b) + 1) | 0;
      from = end;
    } else for (let k = 0; k < found.length; k++) add(found.charCodeAt(k));
  }
}

const token = new RegExp(
  [
    '(?<word>(?:[A-Za-z]|[^\\0-\\xa0])+)',
    '(?<time>(?<!\\d)\\d{1,2}:(?=\\d.:)[\\d:.]*)',
    '(?<number>\\d+)',
    '(?<blank>[\\0-\\x20\\xa0]+)',
    '(?<id>(?<=[Ii][Dd]): *(?=[A-Za-z]*\\d)[A-Za-z\\d]+)',
    '(?<other>.)',
  ].join('|'),
  'gsu',
);

const counters = 'line pid process thread attempt try retry retries took elapsed duration time seconds id tid visited'
  .split(' ')
  .map(wordHash);
const duration =
  /^(?:(?:s|ms|ns|us|µs|secs?|seconds?|mins?|minutes?|hours?)| (?:ms|ns|us|µs|secs?|seconds?|mins?|minutes?|hours?))(?![A-Za-zµ])/;

const callWords = ['needle', 'src', 'tool'].map(wordHash);
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'line ',
      'pid',
      'took',
      'Chunk ID: ',
      'id:',
      'none',
      'null',
      '(empty)',
      'Error',
      'TypeError',
      'Exception',
      'exit code',
    ],
    ...[
      'needle',
      'SRC',
      'not ready',
      '12:34:56',
      '1.5',
      '0,25',
      'ms',
      ' seconds',
      'µs',
      '1234567890123',
      ': ',
      '\n',
      '  ',
      '\t',
    ],
    ...['→', '\u00a0', '\u0085', 'é', '🚀', '漢字', '#', '.', ',', '0', '7 m', '42s', '3 ms'],
  ),
  fc.nat(99_999).map(String),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('a result is read', () => {
  test('as a plain reading with expressions reads it', () => {
    fc.assert(
      fc.property(text, (one) => {
        const { hash, rest, shape, cues } = readResult(one, callWords);
        expect({ hash, rest, shape, cues }).toEqual(readPlainly(one, callWords));
      }),
      { numRuns: 1000 },
    );
  });

  test('in blocks that show in nothing, where lines end', () => {
    const long = fc.tuple(
      fc.array(
        text.map((one) => one.replaceAll('\n', ' ')),
        { minLength: 1 },
      ),
      fc.integer({ min: 400, max: 900 }),
    );
    fc.assert(
      fc.property(long, ([lines, times]) => {
        const one = Array.from({ length: times }, (_, k) => `${k} ${lines[k % lines.length]}`).join('\n');
        const { hash, rest, shape, cues } = readResult(one, callWords);
        expect({ hash, rest, shape, cues }).toEqual(readPlainly(one, callWords));
      }),
      { numRuns: 20 },
    );
  });

  test('without a line end and without a blank, too', () => {
    const bare = `${'x1→'.repeat(20_000)}🚀`.repeat(2);
    expect(readResult(bare, []).hash).not.toBe(readResult(`${bare}x`, []).hash);
  });
});
