import { expect, test } from 'vitest';
import { tookInWords } from './card.js';

test.each([
  [undefined, ''],
  [999, ''],
  [1000, '1.0 s'],
  [9999, '9.9 s'],
  [10_000, '10 s'],
  [59_999, '59 s'],
  [60_000, '1 min 0 s'],
  [3_723_000, '62 min 3 s'],
])('%s ms are "%s"', (milliseconds, words) => {
  expect(tookInWords(milliseconds === undefined ? {} : { milliseconds })).toBe(words);
});
