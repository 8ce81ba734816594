import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globTest } from './tool-rules.js';

test.each([
  ['mcp__*', 'mcp__files__read', true],
  ['mcp__*', 'mcp__', true],
  ['mcp__*', 'mcp_', false],
  ['*_file', 'read_file', true],
  ['*_file', 'read_files', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*a*b*', 'xxbxxaxxbxx', true],
  ['*a*b*', 'xxbxxa', false],
  ['*', '', true],
  ['a.c', 'abc', false],
])('%j on %j: %j', (glob, name, matches) => {
  expect(globTest(glob)(name)).toBe(matches);
});

test('a glob matches what it was made from, with anything for its stars', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_'), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 }), part, (pairs, last) => {
      const glob = `${pairs.map(([fixed]) => `${fixed}*`).join('')}${last}`;
      const name = `${pairs.map(([fixed, any]) => fixed + any).join('')}${last}`;
      expect(globTest(glob)(name)).toBe(true);
    }),
  );
});

test('many stars on a long name do not take long', () => {
  expect(globTest(`${'*a'.repeat(50)}*b`)('a'.repeat(300_000))).toBe(false);
});
