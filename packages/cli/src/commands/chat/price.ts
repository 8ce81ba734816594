import type { Usage } from '@loopfuse/agent';
import { InvalidArgumentError } from 'commander';

/** In dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had seen before. */
  readonly cached: number;
}

/**
 * List prices of November 2025, by how the model's name begins, the longest first. They change, and they are not what
 * everybody pays: what is worked out with them is shown with "≈", and `--price` goes before them.
 */
const listPrices: { readonly [beginning: string]: Price } = {
  'claude-opus-4-5': { input: 5, output: 25, cached: 0.5 },
  'claude-opus': { input: 15, output: 75, cached: 1.5 },
  'claude-sonnet': { input: 3, output: 15, cached: 0.3 },
  'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
  'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
  'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
  'gpt-4.1': { input: 2, output: 8, cached: 0.5 },
  'gemini-3-pro': { input: 2, output: 12, cached: 0.2 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cached: 0.125 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03 },
};

/** What a model costs, as far as it is known. */
export function listPriceOf(model: string): Price | undefined {
  const name = model.toLowerCase().replace(/^.*\//, '');
  const beginning = Object.keys(listPrices)
    .sort((a, b) => b.length - a.length)
    .find((one) => name.startsWith(one));
  return beginning === undefined ? undefined : listPrices[beginning];
}

/** "3,15" or "3,15,0.3": dollars for a million tokens in, out, and in from the cache. */
export function parsePrice(text: string): Price {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [input, output, cached = input] = numbers;
  if (numbers.length < 2 || numbers.length > 3 || !numbers.every((one) => Number.isFinite(one) && one >= 0))
    throw new InvalidArgumentError('It is dollars for a million tokens, in and out, such as 3,15 or 3,15,0.3.');
  return { input: input!, output: output!, cached: cached! };
}

/** In dollars. */
export function costOf({ inputTokens, outputTokens, cachedTokens }: Usage, price: Price): number {
  const fresh = Math.max(0, inputTokens - cachedTokens);
  return (fresh * price.input + cachedTokens * price.cached + outputTokens * price.output) / 1e6;
}

/** "$0.0042", "$1.27": cents are enough for dollars, and too coarse for less. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
