import { createPrices } from '@loopfuse/prices';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSpending, spentBetween } from './spending.js';

const call = { type: 'tool-call', id: 'c', tool: 't', input: {} } as const;
const result = { type: 'tool-result', id: 'c', output: '' } as const;
const usage = { type: 'usage', inputTokens: 100, outputTokens: 10 } as const;
const start = { type: 'turn-start' } as const;

test.each([
  ['before the calls of an answer', [start, usage, call, result]],
  ['between call and result', [start, call, usage, result]],
  ['after the result', [start, call, result, usage]],
  ['after the result, in a log without turns', [call, result, usage]],
])('tokens that are logged %s belong to that answer', (_where, round) => {
  const spending = createSpending();
  const events = [...round, ...round, ...round, ...round];
  const second = events.findIndex((event, k) => k >= round.length && event.type === 'tool-call');
  const third = events.findIndex((event, k) => k >= 2 * round.length && event.type === 'tool-result');
  let until: ReturnType<typeof spending.here> | undefined;
  for (const [seq, event] of events.entries()) {
    spending.observe(event, seq);
    if (seq === third) until = spending.here();
  }
  expect(spentBetween(spending.before(second), until!)).toMatchObject({ calls: 2, inputTokens: 200, outputTokens: 20 });
});

test('what was spent since a loop began stays exact, however long the loop goes on', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.integer({ min: 2, max: 20_000 }), (before, rounds) => {
      const spending = createSpending();
      let from: ReturnType<typeof spending.before> | undefined;
      for (let round = 0; round < before + rounds; round++) {
        spending.observe({ ...call, at: round * 1000 }, 3 * round);
        spending.observe(result, 3 * round + 1);
        spending.observe(usage, 3 * round + 2);
        if (round === before + 1) from = spending.before(3 * before);
      }
      expect(spentBetween(from!, spending.here())).toMatchObject({ calls: rounds, inputTokens: 100 * rounds });
    }),
    { numRuns: 20 },
  );
});

test('all lanes together are the session', () => {
  const spending = createSpending();
  for (const [seq, lane] of ['a', 'b', 'a'].entries()) {
    spending.observe({ ...call, lane, at: seq * 60_000 }, 2 * seq);
    spending.observe({ ...usage, lane, cost: 0.5 }, 2 * seq + 1);
  }
  expect(spending.total()).toEqual({
    ...{ calls: 3, characters: 0, inputTokens: 300, outputTokens: 30, cachedTokens: 0 },
    ...{ cost: 1.5, minutes: 2 },
  });
});

test('what is put into a cache is a part of the input, and what stays there longer a part of that', () => {
  const spending = createSpending();
  const input = { ...usage, cachedTokens: 60, cacheWriteTokens: 90, longCacheWriteTokens: 95 };
  spending.observe(input, 0);
  expect(spending.total()).toMatchObject({ cachedTokens: 60, cacheWriteTokens: 40, longCacheWriteTokens: 40 });
});

test('a cost that the log names for only some of the tokens is not used', () => {
  const spending = createSpending();
  spending.observe({ ...usage, cost: 0.5 }, 0);
  spending.observe(usage, 1);
  expect(spending.total()).not.toHaveProperty('cost');
});

test('tokens are known by the model that the log names for them, and priced so', () => {
  const spending = createSpending();
  const million = { ...usage, inputTokens: 1e6, outputTokens: 0 };
  const events = [
    { ...million, model: 'claude-opus-4-5' },
    { ...million, model: 'claude-sonnet-4-5', cacheWriteTokens: 1e6 },
    { ...million, model: 'claude-haiku-4-5', lane: 'sub-agent' },
    { ...million, lane: 'of a model that nobody names' },
  ];
  for (const [seq, event] of events.entries()) {
    spending.observe({ ...call, ...('lane' in event ? { lane: event.lane } : {}) }, 2 * seq);
    spending.observe(event, 2 * seq + 1);
  }
  const inMain = spentBetween(spending.before(2), spending.here());
  expect(inMain.models?.map(({ model }) => model)).toEqual(['claude-sonnet-4-5']);
  const { costOf } = createPrices();
  expect(costOf(inMain, 'gpt-4o')).toBe(3.75);
  expect(costOf(spending.total(), 'gpt-4o')).toBe(5 + 3.75 + 1 + 2.5);
});
