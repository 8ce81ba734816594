import { hostileObjects } from '@loopfuse/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, dollars, grouped, jsonOf, messageOf, short, wasteInWords } from './index.js';

test.each([
  [0, '0', '0'],
  [999, '999', '999'],
  [999.6, '1,000', '1.0k'],
  [41_234, '41,234', '41.2k'],
  [999_949, '999,949', '1.0M'],
  [1_234_567, '1,234,567', '1.2M'],
  [4_500_000_000, '4,500,000,000', '4.5G'],
])('%d is %s, and %s where there is little room', (value, long, brief) => {
  expect([grouped(value), short(value)]).toEqual([long, brief]);
});

test('a number in groups is what Intl makes of it, and a short one has at most six characters', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (value) => {
      expect(grouped(value)).toBe(value.toLocaleString('en-US'));
      const few = (value % 1500) + 0; // without a zero that is negative
      expect(grouped(few)).toBe(few.toLocaleString('en-US'));
      if (value >= 0 && value < 1e12) expect(short(value).length).toBeLessThanOrEqual(6);
    }),
  );
});

test.each([
  [1e21, '1e+21'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
])('%s has no groups', (value, words) => {
  expect(grouped(value)).toBe(words);
});

test.each([
  [undefined, 'unknown'],
  [0, '$0.00'],
  [0.00004, '<$0.0001'],
  [0.0042, '$0.0042'],
  [1.271, '$1.27'],
  [1204.4, '$1,204'],
])('%s dollars are %s', (cost, words) => {
  expect(dollars(cost)).toBe(words);
});

test('things are counted', () => {
  expect([counted(1, 'call'), counted(1200, 'call'), counted(2, 'entry', 'entries')]).toEqual([
    '1 call',
    '1,200 calls',
    '2 entries',
  ]);
});

test('what was spent is told in words', () => {
  expect(wasteInWords({ calls: 0, characters: 0, tokens: 0 })).toBe('');
  expect(wasteInWords({ calls: 1, characters: 900, tokens: 0 })).toBe('');
  expect(wasteInWords({ calls: 1200, characters: 0, tokens: 4_500_000 })).toBe('4,500,000 tokens');
  expect(wasteInWords({ calls: 0, characters: 12_345, tokens: 0 })).toBe('12,345 characters');
});

test('whatever is thrown, there is something to say about it', () => {
  fc.assert(
    fc.property(fc.anything(), (cause) => {
      expect(typeof messageOf(cause)).toBe('string');
    }),
  );
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('do not look');
      },
    },
  );
  expect(['oops', new Error('it broke'), null, 7, trap].map(messageOf)).toEqual([
    'oops',
    'it broke',
    'a value of type null was thrown',
    'a value of type number was thrown',
    'a value of type object was thrown',
  ]);
});

test('the JSON of a value is what JSON says, with big integers as text, and of what has none there is none', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => jsonOf(value) === JSON.stringify(value)));
  expect(jsonOf({ rows: [{ id: 12345678901234567890n }] })).toBe('{"rows":[{"id":"12345678901234567890"}]}');
  for (const none of [undefined, () => 1, Symbol('x')]) expect(jsonOf(none)).toBe(undefined);
  for (const value of Object.values(hostileObjects)) {
    const text = jsonOf(value());
    if (text !== undefined) expect(() => JSON.parse(text)).not.toThrow();
  }
});
