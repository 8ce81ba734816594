import { expect, test } from 'vitest';
import { pricesIn } from './prices-in.js';

test('prices are read, and whatever is not a price is left out', () => {
  const price = { input: 3, output: 15 };
  expect(pricesIn({ m: price, n: { ...price, cached: 1 } })).toEqual({
    m: { ...price, cached: 3 },
    n: { ...price, cached: 1 },
  });
  const wrong = { a: null, b: 5, c: 'x', d: [], e: { input: -1, output: 1 }, f: { input: '3', output: 15 }, m: price };
  expect(Object.keys(pricesIn(wrong))).toEqual(['m']);
  for (const setting of [undefined, null, 'text', 7, true, []]) expect(pricesIn(setting)).toEqual({});
});
