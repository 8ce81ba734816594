import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startHash } from '../value/fingerprint.js';
import { likeness } from '../value/sketch.js';
import { addLetter, wordHash } from '../value/words.js';
import { cue, cuesOf } from './cues.js';
import { readResult } from './result-reader.js';

/**
 * What the reader should give, put down plainly: text is a row of words, numbers, blanks and other characters, which are
 * looked at one after the other, with expressions instead of bytes.
 */
function readPlainly(whole: string) {
  const text = whole.replace(blankEnds, '');
  let [hash, rest, cues] = [startHash, 0, 0];
  let [lastWord, lastMeaning, lastEnd, from] = [0, 0, -9, 0];
  let gap = false;
  const add = (code: number) => {
    hash = Math.imul(hash ^ code, 0x01000193);
  };
  for (;;) {
    token.lastIndex = from;
    const match = token.exec(text);
    if (match === null) return { hash, rest, cues };
    const { 0: found, groups = {}, index } = match;
    from = index + found.length;
    if (groups.blank !== undefined) {
      if (!gap) add(32);
      gap = true;
      continue;
    }
    gap = false;
    let end = index;
    const behind = (length: number) => text.slice(index + length);
    if (groups.hex !== undefined) end = index + found.length;
    else if (groups.word !== undefined) {
      const word = Array.from({ length: found.length }, (_, k) => found.charCodeAt(k)).reduce(
        (word, code) => addLetter(word, code > 160 ? code : code | 32),
        0,
      );
      const isLabelled = counters.includes(lastWord) && lastEnd === index - 1 && text[lastEnd] === '=';
      if (!isLabelled || Buffer.byteLength(found) > 2 || !/\d/.test(text[from] ?? '')) {
        lastWord = word;
        lastEnd = from;
      }
      const meaning = cuesOf(word);
      if ((lastMeaning & cue.before) !== 0 && (meaning & cue.after) !== 0) cues |= cue.wait;
      lastMeaning = meaning;
      cues |= meaning | (/rror$|pt.on$/is.test(found) ? cue.complaint : 0);
    } else if (groups.time !== undefined || groups.number !== undefined) {
      if (lastEnd === index && (lastMeaning & cue.code) !== 0) cues |= cue.complaint;
      const digits = /^\d+/.exec(found)![0];
      const decimals = /^[.,]\d+/.exec(behind(digits.length))?.[0] ?? '';
      const long = digits.length + decimals.length;
      const between = text.slice(Math.max(lastEnd, 0), index);
      const near = lastEnd >= 0 && Buffer.byteLength(between) <= 3 && !between.includes('\n');
      if (groups.time !== undefined) end = index + found.length;
      else if (/(?:^|\n)[ \t]*\[$/.test(text.slice(0, index)) && behind(digits.length)[0] === ']')
        end = index + digits.length;
      else if (digits.length >= 12 || (/^1\d{9}$/.test(digits) && decimals !== '')) end = index + long;
      else if (near && counters.includes(lastWord)) end = index + long + /^[A-Za-z\d]*/.exec(behind(long))![0].length;
      else if (duration.test(behind(long))) end = index + long;
    } else if (groups.id !== undefined) end = index + found.length;
    if (end > index) {
      add(35);
      for (let k = index; k < end; k++)
        if (text.charCodeAt(k) > 32) rest = (Math.imul(rest ^ text.charCodeAt(k), 0x85ebca6b) + 1) | 0;
      from = end;
    } else for (let k = 0; k < found.length; k++) add(found.charCodeAt(k));
  }
}

const blankEnds = /^[\0-\x20\xa0]+|[\0-\x20\xa0]+$/g;
const token = new RegExp(
  [
    '(?<hex>(?:(?<!\\d)(?=[A-Fa-f])|(?<![A-Za-z])(?=\\d))(?=[A-Fa-f]*\\d[A-Fa-f]*\\d)(?=\\d*[A-Fa-f])[\\dA-Fa-f]{8,64}(?![A-Za-z\\d]))',
    '(?<word>(?:[A-Za-z]|[^\\0-\\xa0\\u3040-\\u30ff\\u3400-\\u9fff])+)',
    '(?<time>(?<!\\d)(?:\\d{4}-\\d\\d-\\d\\d[ T_]\\d\\d(?::[\\d:.]*|-[\\d.-]*)|\\d{1,2}:(?=\\d.:|(?<=-[\\0-\\x7f]\\d[ T_]\\d{1,2}:)\\d)[\\d:.]*|(?<=-[\\0-\\x7f]\\d[ T_])\\d\\d-(?=[\\0-\\x7f]{2}-)[\\d.-]*))',
    '(?<number>\\d+(?:\\.\\d+)?)',
    '(?<blank>[\\0-\\x20\\xa0]+)',
    '(?<id>(?<=[Ii][Dd]): *(?=[A-Za-z]*\\d)[A-Za-z\\d]+)',
    '(?<other>.)',
  ].join('|'),
  'gsu',
);

const counters =
  'line pid pids pgid process thread attempt try retry retries took elapsed duration time seconds id tid uid ref visited'
    .split(' ')
    .map(wordHash);
const duration =
  /^(?:(?:s|m|h|d|ms|ns|us|µs|secs?|seconds?|mins?|minutes?|hours?)| (?:ms|ns|us|µs|secs?|seconds?|mins?|minutes?|hours?))(?![A-Za-zµ])/;

const callWords = ['needle', 'src', 'tool'].map(wordHash);
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'line ',
      'pid',
      'took',
      'Chunk ID: ',
      'ref=e',
      'uid=',
      '=',
      'id:',
      'none',
      'null',
      '(empty)',
      'Error',
      'TypeError',
      'Exception',
      'exit code',
      'E',
      'TS2304',
    ],
    ...[
      'needle',
      'SRC',
      'not ready',
      '12:34:56',
      '2026-01-31T12:34',
      '2026-01-31_12-',
      '2026-01-31 1',
      '-31 9:05:',
      '-31_12-34-56-789Z',
      '1718202602.019',
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
    ...['[12]', '[7', '\n[31] ', '\n\t[4.5] ', ']', '['],
    ...['→', '\u00a0', '\u0085', 'é', '🚀', '漢字', '#', '.', ',', '0', '7 m', '42s', '3 ms'],
    ...['\u001b', '3.14159265358979', 'a1b2c3d4e5', '9e3779b1', 'deadbeef', '0badcafe1'],
  ),
  fc.nat(99_999).map(String),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('a result is read', () => {
  test('as a plain reading with expressions reads it', () => {
    fc.assert(
      fc.property(text, (one) => {
        const { hash, rest, cues } = readResult(one, callWords);
        expect({ hash, rest, cues }).toEqual(readPlainly(one));
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
        const { hash, rest, cues } = readResult(one, callWords);
        expect({ hash, rest, cues }).toEqual(readPlainly(one));
      }),
      { numRuns: 20 },
    );
  });

  test('without a line end and without a blank, too', () => {
    const bare = `${'x1→'.repeat(20_000)}🚀`.repeat(2);
    expect(readResult(bare, []).hash).not.toBe(readResult(`${bare}x`, []).hash);
  });

  describe('into a sketch', () => {
    const sketch = (text: string, words: readonly number[] = []) => readResult(text, words).sketch;
    const numbers = (text: string) => readResult(text, []).numbers;
    const log = 'bash: line 41: cd: fastjson: No such file or directory';

    test('in which numbers and ids do not matter', () => {
      expect(sketch(log.replace('41', '45'))).toEqual(sketch(log));
      const with8 = (id: string) => sketch(`request ${id} was refused by the server`);
      expect(with8('8f3a12bc')).toEqual(with8('77aa0c1d'));
    });

    test('in which the words of the call do not matter', () => {
      const called = (name: string) => sketch(`There is no file named ${name} in this folder`, [wordHash(name)]);
      expect(called('alpha')).toEqual(called('omega'));
    });

    test('that is alike for texts that say nearly the same, and not for others', () => {
      const other = 'Compiled 14 modules, and all of the 212 tests of the suite have passed.';
      expect(likeness(sketch(log), sketch(`${log} here`))).toBeGreaterThan(0.7);
      expect(likeness(sketch(log), sketch(other))).toBeLessThan(0.3);
    });

    test('in which each sign is a word, where words have no blanks between them', () => {
      const sketch = (said: string) => [...readResult(said, []).sketch] as const;
      const said = '无法连接到数据库服务器请检查网络设置然后重试这个操作或者联系管理员';
      expect(likeness(sketch(said), sketch(said.replace('网络', '防火')))).toBeGreaterThan(0.6);
      expect(likeness(sketch(said), sketch('今天的会议改到下午三点在二楼的大会议室举行'))).toBeLessThan(0.3);
      expect(readResult(said, []).letters).toBe(3 * said.length);
      expect(readResult('error: 数据', []).cues & cue.complaint).not.toBe(0);
    });

    test('of its numbers apart, volatile ones left out', () => {
      expect(numbers('score 0.417 after 12 rounds')).not.toEqual(numbers('score 0.421 after 12 rounds'));
      expect(numbers('12 rounds at 09:41:07')).toEqual(numbers('12 rounds at 09:42:55'));
    });
  });
});
