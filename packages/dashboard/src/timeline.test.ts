import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Item, itemTypes, packTimeline, stepStatuses, unpackTimeline } from './timeline.js';

/** Any sequence of code units, including lone surrogates. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));
const count = fc.nat({ max: 100_000 });
const text = fc.oneof(anyText, fc.constantFrom('ls', 'cat a', ''));
const item: fc.Arbitrary<Omit<Item, 'seq' | 'last'> & { step: number; length: number }> = fc.record(
  {
    type: fc.constantFrom(...itemTypes),
    step: fc.nat({ max: 9 }),
    length: fc.nat({ max: 9 }),
    at: fc.oneof(fc.integer({ min: 0, max: 8.64e15 }), fc.integer({ min: 1.7e12, max: 1.9e12 })),
    lane: text,
    tool: text,
    status: fc.constantFrom(...stepStatuses),
    same: count,
    outcome: count,
    novelty: fc.nat({ max: 100 }),
    progress: fc.nat({ max: 3 }),
    tokens: count,
    calls: count,
    text,
    input: text,
    result: text,
  },
  { requiredKeys: ['type', 'step', 'length', 'novelty', 'progress', 'tokens', 'calls', 'text'] },
);

test('a timeline that is packed, sent through JSON and unpacked is the same', () => {
  fc.assert(
    fc.property(fc.array(item), (drafts) => {
      let seq = 0;
      const items = drafts.map(({ step, length, ...rest }): Item => {
        seq += step;
        return { ...rest, seq, last: seq + length };
      });
      expect(unpackTimeline(JSON.parse(JSON.stringify(packTimeline({ items }))))).toEqual({ items });
    }),
  );
});

test('a repeated text is stored once', () => {
  const again: Item = {
    type: 'says',
    seq: 0,
    last: 0,
    novelty: 0,
    progress: 0,
    tokens: 0,
    calls: 0,
    text: 'Once more.',
  };
  expect(packTimeline({ items: [again, again, again] }).texts).toEqual(['Once more.']);
});
