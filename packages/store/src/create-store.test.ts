import { expect, test } from 'vitest';
import { createStore } from './create-store.js';

test('a clock that is set back makes the store neither rest nor keep quiet for as long', async () => {
  let clock = Date.UTC(2026, 0, 2);
  let asked = 0;
  const faults: string[] = [];
  const backend = {
    name: 'broken',
    async acquire(): Promise<never> {
      asked++;
      throw new Error('no room');
    },
    async *recent() {},
    async close() {},
  };
  const store = createStore(backend, { now: () => clock, onFault: ({ message }) => faults.push(message) });
  const work = () => store.update('key', () => ({ result: 'done', save: {} }));
  expect([await work(), await work()]).toEqual(['done', 'done']);
  expect([asked, faults.length]).toEqual([1, 1]);
  clock -= 60 * 60_000;
  expect(await work()).toBe('done');
  expect([asked, faults.length]).toEqual([2, 2]);
  clock += 2_000;
  await work();
  expect([asked, faults.length]).toEqual([3, 2]);
});
