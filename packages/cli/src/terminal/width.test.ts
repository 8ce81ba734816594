import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fit, pad, widthOf, wrap } from './width.js';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const columns = fc.integer({ min: 4, max: 50 });

test('what is fitted is never wider than asked, and is untouched when it fits', () => {
  fc.assert(
    fc.property(text, columns, (given, room) => {
      const fitted = fit(given, room);
      expect(widthOf(fitted)).toBeLessThanOrEqual(room);
      if (widthOf(given) <= room) expect(fitted).toBe(given);
      else expect(fitted.endsWith('…')).toBe(true);
    }),
  );
});

test('what is padded is as wide as asked, unless it was wider', () => {
  fc.assert(
    fc.property(text, columns, (given, room) => {
      expect(widthOf(pad(given, room))).toBe(Math.max(room, widthOf(given)));
    }),
  );
});

test('wrapping keeps every line within the columns, keeps the words in order and obeys the number of lines', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(words, columns, fc.integer({ min: 1, max: 5 }), (given, room, most) => {
      const whole = wrap(given.join(' '), room);
      expect(whole.join(' ')).toBe(given.join(' '));
      const some = wrap(given.join(' '), room, most);
      expect(some.length).toBeLessThanOrEqual(most);
      for (const line of [...whole, ...some]) expect(widthOf(line)).toBeLessThanOrEqual(room);
      if (whole.length > most) expect(some.at(-1)).toMatch(/…$/);
    }),
  );
});

test.each([
  ['plain', 5],
  ['日本語', 6],
  ['e\u0301a\u0300', 2],
  ['🚀!', 3],
  ['“x” – …', 7],
])('%s takes %i columns', (given, width) => {
  expect(widthOf(given)).toBe(width);
});
