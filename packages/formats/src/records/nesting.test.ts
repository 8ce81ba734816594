import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepest, nestsTooDeeply } from './nesting.js';

const long = 'x'.repeat(300_000);

test.each([
  ['lists', `${'['.repeat(150_000)}${']'.repeat(150_000)}`, true],
  ['lists that never close', '['.repeat(300_000), true],
  ['objects', `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`, true],
  ['brackets in a string', JSON.stringify({ text: '['.repeat(300_000) }), false],
  ['a string with escaped quotation marks', JSON.stringify({ text: `\\"[`.repeat(150_000) }), false],
  ['a string that never ends', `{"a":"${long}`, false],
  ['many lists beside each other', `[${'[],'.repeat(150_000)}[]]`, false],
])('%s', (_name, text, expected) => {
  expect(nestsTooDeeply(text)).toBe(expected);
});

test('JSON of any shape is measured as it nests', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat({ max: 2 * deepest }), (json, levels) => {
      const text = `[${'['.repeat(levels)}${JSON.stringify(long)},${json}${']'.repeat(levels)}]`;
      expect(nestsTooDeeply(text)).toBe(levels + 1 + depthOf(JSON.parse(json)) > deepest);
    }),
    { numRuns: 30 },
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
