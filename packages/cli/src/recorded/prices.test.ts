import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadPrices } from './prices.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));
const million = { inputTokens: 1e6, outputTokens: 1e6, cachedTokens: 0 };

test('a file of prices goes before ours, and one that is none is wrong usage', () => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify({ date: '2030-01-01', models: { 'My-Own': { input: 1, output: 2 } } }));
  const prices = loadPrices(file);
  expect(prices.date).toBe('2030-01-01');
  expect(prices.costOf(million, 'my-own')).toBe(3);
  expect(prices.costOf(million, 'gpt-4.1')).toBe(10);
  for (const wrong of ['{', '{}', '{"models":{"a":{"input":"1"}}}', '{"models":{"a":null}}']) {
    writeFileSync(file, wrong);
    expect(() => loadPrices(file)).toThrow(/prices\.json/);
  }
});
