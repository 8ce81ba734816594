import { memoryStore } from '@loopfuse/store';
import { storeLaws } from '@loopfuse/testkit';
import { expect, test } from 'vitest';
import { loops } from './testing/loops.js';

storeLaws('memory', () => ({ open: memoryStore, async remove() {} }), { shared: false, loops });

test('more sessions than allowed, and the ones saved longest ago are dropped', async () => {
  const store = memoryStore({ mostSessions: 2 });
  for (const key of ['a', 'b', 'a', 'c']) await store.update(key, () => ({ result: 0, save: key }));
  expect((await store.recent()).map(({ key }) => key)).toEqual(['c', 'a']);
  expect(await store.update('b', (saved) => ({ result: saved }))).toBeUndefined();
});

test('a bound that is no number is refused', () => {
  expect(() => memoryStore({ mostSessions: 0 })).toThrow('mostSessions must be a positive whole number, got 0');
  expect(() => memoryStore({ expirySeconds: Number.NaN })).toThrow('expirySeconds must be a positive number, got NaN');
});

test('a key must name a session', async () => {
  await expect(memoryStore().update('', () => ({ result: 0 }))).rejects.toThrow(
    'key must be a non-empty string, got ""',
  );
});
