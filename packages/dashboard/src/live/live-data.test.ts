import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyIn, type LiveSession, sessionToShow } from './live-data.js';

const listed = (...keys: string[]) => keys.map((key) => ({ key }) as LiveSession);

test('the key of a session is read from the address, whatever the address is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (key) => {
      expect(keyIn(`#${encodeURIComponent(key)}`)).toBe(key);
    }),
  );
  expect([keyIn(''), keyIn('#'), keyIn('#a%2'), keyIn('#%ff')]).toEqual(['', '', 'a%2', '%ff']);
});

test('the shown session stays when another one gets a request', () => {
  expect(sessionToShow(listed('a', 'b'), '', '')?.key).toBe('a');
  expect(sessionToShow(listed('b', 'a'), '', 'a')?.key).toBe('a');
  expect(sessionToShow(listed('b', 'a'), 'b', 'a')?.key).toBe('b');
  expect(sessionToShow(listed('b', 'c'), 'gone', 'a')?.key).toBe('b');
  expect(sessionToShow([], 'a', 'a')).toBeUndefined();
});
