import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costAt, createPrices, priceTable, tokensSince, withTokens } from './index.js';

const million = { inputTokens: 1e6, outputTokens: 1e6, cachedTokens: 0 };

test.each([
  ['claude-sonnet-4-5-20250929', 18],
  ['anthropic/claude-opus-4-5', 30],
  ['claude-opus-4-1-20250805', 90],
  ['anthropic/claude-sonnet-4.5', 18],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 18],
  ['gemini-2.5-pro-preview-05-06', 11.25],
  ['claude-opus-4-9', undefined],
  ['gpt-5-mini', 2.25],
  ['models/gemini-2.5-flash-lite', 0.5],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 18],
  ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 18],
  ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 18],
  ['openrouter/anthropic/claude-sonnet-4.5:thinking', 18],
  ['gemini-3-flash-preview', 3.5],
  ['gemini-3.1-pro-preview-customtools', 14],
  ['gemini-2.5-flash-001', 2.8],
  ['gpt-5-minimal', 11.25],
  ['gpt-4.1:free', undefined],
  ['claude-opus-4-6-fast', undefined],
  ['anthropic.', undefined],
  ['gpt-5.9-enormous', undefined],
  ['gpt-5-pro', undefined],
  ['my-own-model', undefined],
  [undefined, undefined],
])('a million tokens in and out of %s cost %s', (model, cost) => {
  expect(createPrices().costOf(million, model)).toEqual(cost);
});

test('cached input costs less, a logged cost has precedence, and no tokens have no price', () => {
  const { costOf } = createPrices();
  expect(costOf({ inputTokens: 1e6, outputTokens: 0, cachedTokens: 1e6 }, 'gpt-4.1')).toBe(0.5);
  expect(costOf({ ...million, cost: 7 }, 'no-such-model')).toBe(7);
  expect(costOf({ inputTokens: 0, outputTokens: 0, cachedTokens: 0 }, 'gpt-4.1')).toBeUndefined();
});

test('invalid counts cost nothing, and cached input is never more than the input', () => {
  const { costOf } = createPrices();
  const million = { inputTokens: 1e6, outputTokens: 0, cachedTokens: 0 };
  expect(costOf({ ...million, outputTokens: -1e6 }, 'gpt-4.1')).toBe(2);
  expect(costOf({ inputTokens: -1e6, outputTokens: 1e6, cachedTokens: Number.NaN }, 'gpt-4.1')).toBe(8);
  expect(costOf({ ...million, cachedTokens: 5e6, cacheWriteTokens: 5e6 }, 'gpt-4.1')).toBe(0.5);
  expect(costOf({ ...million, inputTokens: Number.NaN }, 'gpt-4.1')).toBeUndefined();
  expect(costOf({ inputTokens: 1e6, outputTokens: 0 } as never, 'gpt-4.1')).toBe(2);
});

test('writing to the cache costs more where the provider says so, and more for an hour', () => {
  const { costOf } = createPrices();
  const tokens = { inputTokens: 1e6, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 1e6 };
  expect(costOf(tokens, 'claude-sonnet-4-5')).toBe(3.75);
  expect(costOf({ ...tokens, longCacheWriteTokens: 1e6 }, 'claude-sonnet-4-5')).toBe(6);
  expect(costOf({ ...tokens, inputTokens: 2e6, longCacheWriteTokens: 5e5 }, 'claude-sonnet-4-5')).toBe(3 + 1.875 + 3);
  expect(costOf({ ...tokens, longCacheWriteTokens: 1e6 }, 'gpt-5')).toBe(1.25);
});

test('usage that is known by model is priced by model, and the rest as the model of the session', () => {
  const { costOf } = createPrices();
  const models = [{ ...million, model: 'claude-opus-4-5' }];
  const all = { inputTokens: 2e6, outputTokens: 2e6, cachedTokens: 0, models };
  expect(costOf(all, 'claude-haiku-4-5')).toBe(30 + 6);
  expect(costOf({ ...million, models }, 'no-such-model')).toBe(30);
  expect(costOf(all, 'no-such-model')).toBeUndefined();
  expect(costOf(all, undefined)).toBeUndefined();
  expect(costOf({ ...all, models: [{ ...million, model: 'no-such-model' }] }, 'claude-haiku-4-5')).toBeUndefined();
  expect(costOf({ ...all, cost: 7 }, undefined)).toBe(7);
});

test('tokens are added up by model, and those since an earlier time are the difference', () => {
  const one = { inputTokens: 10, outputTokens: 1, cachedTokens: 2, cacheWriteTokens: 3 };
  const earlier = withTokens(withTokens([], 'a', one), 'b', one);
  const later = withTokens(withTokens(earlier, 'b', one), 'c', one);
  expect(later).toEqual([
    { ...one, model: 'a' },
    { inputTokens: 20, outputTokens: 2, cachedTokens: 4, cacheWriteTokens: 6, model: 'b' },
    { ...one, model: 'c' },
  ]);
  expect(tokensSince(earlier, later)).toEqual([
    { ...one, model: 'b' },
    { ...one, model: 'c' },
  ]);
  let many = later;
  for (let k = 0; k < 1000; k++) many = withTokens(many, `model-${k}`, one);
  expect(many.length).toBeLessThan(20);
});

test('an own table has precedence', () => {
  const prices = createPrices({
    date: '2030-01-01',
    models: { 'My-Own': { input: 1, output: 2, cached: 0 }, 'gpt-4.1': { input: 1, output: 1, cached: 1 } },
  });
  expect(prices.date).toBe('2030-01-01');
  expect(prices.costOf(million, 'my-own')).toBe(3);
  expect(prices.costOf(million, 'gpt-4.1')).toBe(2);
  expect(prices.costOf(million, 'gpt-4o')).toBe(12.5);
});

test('an own table may name a model as the log does, as a router does, or by its bare name', () => {
  const price = { input: 1, output: 2, cached: 0 };
  const named = (name: string) => createPrices({ models: { [name]: price } });
  for (const name of ['moonshot-ai/kimi-k2.7-code', 'kimi-k2.7-code', 'Moonshot-AI/Kimi-K2-7-Code'])
    for (const model of ['moonshot-ai/kimi-k2.7-code', 'openrouter/moonshot-ai/kimi-k2.7-code'])
      expect([name, model, named(name).costOf(million, model)]).toEqual([name, model, 3]);
  expect(named('claude-sonnet-4.5').costOf(million, 'claude-sonnet-4-5-20250929')).toBe(3);
  expect(named('claude-sonnet-4.5').costOf(million, 'anthropic/claude-sonnet-4.5')).toBe(3);
  expect(named('us.anthropic.claude-sonnet-4-5').costOf(million, 'us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(
    3,
  );
  expect(named('azure/gpt-4o').costOf(million, 'azure/gpt-4o-2024-08-06')).toBe(3);
  expect(named('azure/gpt-4o').costOf(million, 'openai/gpt-4o')).toBe(12.5);
  const both = createPrices({ models: { 'gpt-4o': price, 'azure/gpt-4o': { input: 5, output: 5, cached: 5 } } });
  expect([both.costOf(million, 'azure/gpt-4o'), both.costOf(million, 'gpt-4o')]).toEqual([10, 3]);
});

test('no price is negative, and cached input never costs more than other input', () => {
  for (const [model, price] of Object.entries(priceTable.models)) {
    const { input, output, cached, written = input, writtenLong = written } = price;
    const isSound = 0 <= cached && cached <= input && input <= output && input <= written && written <= writtenLong;
    expect([model, isSound]).toEqual([model, true]);
  }
});

test('every price has a day, none is after that of the table, and a model without a price has none', () => {
  for (const [model, { asOf }] of Object.entries(priceTable.models)) {
    expect([model, asOf]).toEqual([model, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
    expect(asOf <= priceTable.date).toBe(true);
    expect(createPrices().asOf(model)).toBe(asOf);
  }
  expect(createPrices().asOf('my-own-model')).toBeUndefined();
  const price = { input: 1, output: 2, cached: 0 };
  const own = createPrices({ date: '2030-01-01', models: { a: price, b: { ...price, asOf: '2029-12-31' } } });
  expect([own.asOf('a'), own.asOf('b')]).toEqual(['2030-01-01', '2029-12-31']);
  const dateOf = (asOf: string) => createPrices({ models: { a: { ...price, asOf } } }).date;
  expect([dateOf('2029-12-31'), dateOf('2020-01-01')]).toEqual(['2029-12-31', priceTable.date]);
  expect(createPrices({ date: '2020-01-01', models: { a: price } }).date).toBe(priceTable.date);
});

test('tokens cost the same together and apart', () => {
  const tokens = fc.record({ inputTokens: fc.nat(1e6), outputTokens: fc.nat(1e6), cachedTokens: fc.constant(0) });
  const price = { input: 3, output: 15, cached: 0.3 };
  fc.assert(
    fc.property(tokens, tokens, (a, b) => {
      const both = {
        inputTokens: a.inputTokens + b.inputTokens,
        outputTokens: a.outputTokens + b.outputTokens,
        cachedTokens: 0,
      };
      expect(costAt(price, both)).toBeCloseTo(costAt(price, a) + costAt(price, b), 9);
    }),
  );
});
