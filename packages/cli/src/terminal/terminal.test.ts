import { grouped, short } from 'loopfuse/words';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../testing/terminal.js';
import { usesUtf8 } from './glyphs.js';
import { wantsColour } from './paint.js';
import { terminalOf } from './terminal.js';

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ FORCE_COLOR: '3', NO_COLOR: '1' }, true, false],
])('with %j on a terminal (%s) colours are wanted: %s', (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted);
});

test.each([
  [{ LANG: 'en_GB.UTF-8' }, 'linux', true],
  [{ LANG: 'C' }, 'linux', false],
  [{ LANG: 'en_GB.UTF-8', LC_ALL: 'C' }, 'linux', false],
  [{}, 'linux', false],
  [{}, 'darwin', true],
  [{}, 'win32', false],
  [{ WT_SESSION: 'x' }, 'win32', true],
] as const)('with %j on %s UTF-8 is used: %s', (env, platform, isUsed) => {
  expect(usesUtf8(env, platform)).toBe(isUsed);
});

test.each([
  [{}, undefined, 100],
  [{}, 80, 80],
  [{}, 300, 120],
  [{}, 10, 40],
  [{ COLUMNS: '90' }, undefined, 90],
  [{ COLUMNS: 'wide' }, undefined, 100],
])('with %j a stream of %s columns is laid out for %i', (env, columns, laidOut) => {
  expect(terminalOf({ columns } as NodeJS.WriteStream, env).columns).toBe(laidOut);
});

test('numbers are written for people', () => {
  expect([0, 999, 1000, 41_234, 99_949, 99_951, 999_400, 999_600, 1.5e6, 2e9].map(short)).toEqual([
    '0',
    '999',
    '1.0k',
    '41.2k',
    '99.9k',
    '100k',
    '999k',
    '1.0M',
    '1.5M',
    '2.0G',
  ]);
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('a terminal without UTF-8 gets ASCII', () => {
  expect(fakeTerminal({ utf8: false }).say('“one” – two… 日本')).toBe('"one" - two... ??');
});
