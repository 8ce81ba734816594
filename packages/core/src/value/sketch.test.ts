import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addItem, createMinima, emptySketch, likeness, packSketch, resetMinima } from './sketch.js';

const minima = createMinima();

function sketchOf(items: readonly number[]) {
  resetMinima(minima);
  for (const item of items) addItem(minima, item);
  return packSketch(minima);
}

function shared(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const common = [...a].filter((item) => b.has(item)).length;
  return common / (a.size + b.size - common);
}

describe('a sketch', () => {
  const items = fc.array(fc.integer(), { maxLength: 300 });

  test('does not depend on the order of its items, or on how often each comes', () => {
    fc.assert(
      fc.property(items, (some) => {
        expect(sketchOf([...some].reverse().concat(some))).toEqual(sketchOf(some));
      }),
    );
  });

  test('is alike to itself, and symmetric', () => {
    fc.assert(
      fc.property(items, items, (some, others) => {
        const [a, b] = [sketchOf(some), sketchOf(others)];
        expect(likeness(a, a)).toBe(1);
        expect(likeness(a, b)).toBe(likeness(b, a));
      }),
    );
  });

  test('of nothing is alike to nothing else', () => {
    expect(sketchOf([])).toEqual(emptySketch);
    expect(likeness(emptySketch, sketchOf([7]))).toBe(0);
  });

  // The mean over many pairs: a single estimate from sixteen buckets may be off by a tenth or two.
  test.each([0.2, 0.5, 0.8])('estimates how much two sets share: %f', (part) => {
    for (const size of [20, 200, 5000]) {
      let error = 0;
      const rounds = 40;
      for (let round = 0; round < rounds; round++) {
        const item = (k: number) => Math.imul(k + 1, 0x9e3779b1) ^ (round << 20);
        const a = new Set(Array.from({ length: size }, (_, k) => item(k)));
        const b = new Set(Array.from({ length: size }, (_, k) => item(k + Math.round(size * (1 - part)))));
        error += likeness(sketchOf([...a]), sketchOf([...b])) - shared(a, b);
      }
      expect(Math.abs(error / rounds)).toBeLessThan(0.08);
    }
  });
});
