import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alarm } from './alarms.js';
import { createOutbox } from './outbox.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const alarm = (name: number) => ({ message: String(name) }) as unknown as Alarm;

/** An outbox with a clock that is moved by hand, and what it delivered when. */
function outbox(together: boolean, deliver: () => Promise<void> = async () => {}) {
  const deliveries: { at: number; alarms: string[] }[] = [];
  const problems: string[] = [];
  const box = createOutbox({
    ...{ most: 3, window: 60_000, together, clock: () => Date.now() },
    deliver(alarms) {
      deliveries.push({ at: Date.now(), alarms: alarms.map(({ message }) => message) });
      return deliver();
    },
    onProblem: (message) => void problems.push(message),
  });
  return { box, deliveries, problems };
}

test.each([false, true])(
  'no minute sees more than the limit, and nothing is lost or sent twice: together %s',
  async (together) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 30 }), async (pauses) => {
        const { box, deliveries, problems } = outbox(together);
        for (const [k, pause] of pauses.entries()) {
          await vi.advanceTimersByTimeAsync(pause);
          box.send(alarm(k));
        }
        await vi.advanceTimersByTimeAsync(60 * 60_000);
        expect(deliveries.flatMap(({ alarms }) => alarms)).toEqual(pauses.map((_, k) => String(k)));
        for (const [k, { at }] of deliveries.entries())
          expect(deliveries[k + 3] === undefined || deliveries[k + 3]!.at - at >= 60_000).toBe(true);
        expect(await box.stop()).toBe(0);
        expect(problems).toEqual([]);
      }),
      { numRuns: 50 },
    );
  },
);

test('what waits goes out together where that is wanted, and what still waits at the end is counted', async () => {
  const { box, deliveries } = outbox(true);
  for (let k = 0; k < 8; k++) box.send(alarm(k));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(deliveries.map(({ alarms }) => alarms.length)).toEqual([1, 1, 1, 5]);
  for (let k = 0; k < 200; k++) box.send(alarm(k));
  expect(await box.stop()).toBe(198);
});

test('a delivery that fails is reported once until one arrives, and disturbs nobody', async () => {
  let isDown = true;
  const { box, problems } = outbox(false, async () => {
    if (isDown) throw new Error('nobody there');
  });
  box.send(alarm(1));
  box.send(alarm(2));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(problems).toEqual(['nobody there']);
  isDown = false;
  box.send(alarm(3));
  await vi.advanceTimersByTimeAsync(60_000);
  isDown = true;
  box.send(alarm(4));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(problems).toEqual(['nobody there', 'nobody there']);
  expect(await box.stop()).toBe(3);
});

test('what never answers is given up at the end', async () => {
  const box = createOutbox({
    deliver: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))),
    onProblem() {},
  });
  box.send(alarm(1));
  const stopped = box.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await stopped).toBe(1);
});
