import type { Price } from '@loopfuse/prices';
import { InvalidArgumentError } from 'commander';

/** "3,15" or "3,15,0.3": dollars for a million tokens in, out, and in from the cache. */
export function parsePrice(text: string): Price {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [input, output, cached = input] = numbers;
  if (numbers.length < 2 || numbers.length > 3 || !numbers.every((one) => Number.isFinite(one) && one >= 0))
    throw new InvalidArgumentError('Expected dollars for a million tokens, in and out, such as 3,15 or 3,15,0.3.');
  return { input: input!, output: output!, cached: cached! };
}
