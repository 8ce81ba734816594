import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../event.js';
import { exactJsonPrint, exactPrint } from './exact-print.js';

const values = fc.oneof(
  fc.jsonValue(),
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withBoxedValues: true,
    withSparseArray: true,
    withNullPrototype: true,
  }),
  fc.constantFrom<unknown>(
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1, b: 2, c: undefined },
    { a: '1', b: 2 },
    { a: new Date(0) },
    { a: '1970-01-01T00:00:00.000Z' },
    { a: -0 },
    { a: 0 },
    { a: Number.NaN },
    { a: null },
    { a: [1, undefined] },
    { a: [1, null] },
    { a: [1, 2] },
    { a: [[1], 2] },
    { a: [1, [2]] },
    { a: 3_000_000_000 },
    { a: 0.5 },
    [],
    {},
    '',
    'undefined',
    null,
    undefined,
  ),
);

function written(value: unknown): string | undefined {
  try {
    return String(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

describe('exactJsonPrint', () => {
  test('is the same exactly where JSON is the same', () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        const same = written(left) !== undefined && written(left) === written(right);
        const prints = [exactJsonPrint('tool', left as Json), exactJsonPrint('tool', right as Json)];
        expect(prints[0] !== undefined && prints[0] === prints[1]).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  test('is the same for a value and its copy through JSON', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = written(value);
        fc.pre(text !== undefined && text !== 'undefined');
        expect(exactJsonPrint('tool', value as Json)).toBe(exactJsonPrint('tool', JSON.parse(text)));
      }),
    );
  });

  test('reads a value that writes itself as what it writes', () => {
    expect(exactJsonPrint('tool', { a: { toJSON: () => 'x' } } as unknown as Json)).toBe(
      exactJsonPrint('tool', { a: 'x' }),
    );
  });

  test('depends on the name', () => {
    expect(exactJsonPrint('read', {})).not.toBe(exactJsonPrint('write', {}));
  });

  test('reads values of any depth that JSON can write', () => {
    const nested = (depth: number): Json => (depth === 0 ? 'bottom' : [nested(depth - 1)]);
    expect(exactJsonPrint('tool', nested(500))).toBe(exactJsonPrint('tool', nested(500)));
    expect(exactJsonPrint('tool', nested(500))).not.toBe(exactJsonPrint('tool', nested(501)));
  });

  test('has none for what JSON refuses to write', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(exactJsonPrint('tool', cycle as Json)).toBeUndefined();
    expect(exactJsonPrint('tool', { big: 1n } as unknown as Json)).toBeUndefined();
  });

  test('fits JSON', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Number.isSafeInteger(exactPrint(text))));
  });
});

describe('exactPrint', () => {
  test('folds nothing', () => {
    const texts = ['', ' ', '  ', 'a', 'A', 'a ', ' a', 'ab', 'ba', 'a\n', 'a\0', '\ud800', '\ud801', '\ufffd'];
    expect(new Set(texts.map(exactPrint)).size).toBe(texts.length);
  });
});
