import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, type Place, placeIn, start } from './place.js';

/** Any sequence of code units, including lone surrogates. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));
const names = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 });
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.record({
    view: fc.constant('overview' as const),
    filters: fc.record({
      agent: names,
      project: names,
      author: names,
      model: names,
      tool: names,
      kind: names,
      words: fc.string({ unit: 'grapheme' }),
      from: fc.option(day, { nil: undefined }),
      to: fc.option(day, { nil: undefined }),
      only: fc.constantFrom('everything' as const, 'loops' as const, 'suspicions' as const),
      minCalls: fc.nat({ max: 999_999_999 }),
    }),
    sort: fc.record({
      by: fc.constantFrom('title' as const, 'when' as const, 'cost' as const, 'calls' as const),
      descending: fc.boolean(),
    }),
    measure: fc.constantFrom('loops' as const, 'tokens' as const),
  }),
  fc.record(
    {
      view: fc.constant('session' as const),
      session: fc.nat({ max: 99_999 }),
      event: fc.nat({ max: 99_999 }),
      shown: fc
        .tuple(fc.nat({ max: 99_999 }), fc.integer({ min: 1, max: 99_999 }))
        .map(([from, span]) => ({ from: from / 4, to: from / 4 + span / 4 })),
    },
    { requiredKeys: ['view', 'session'] },
  ),
);

test('the address of a place is read back as the same place', () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(placeIn(hashOf(one))).toEqual(one);
    }),
  );
});

test('any address gives a place', () => {
  fc.assert(
    fc.property(anyText, (hash) => {
      expect(hashOf(placeIn(`#${hash}`))).toMatch(/^#\//);
    }),
  );
  expect(placeIn('')).toEqual(start);
  expect(placeIn('#/session/x?shown=1~NaN')).toEqual(start);
  expect(placeIn('#/session/3?shown=9~1&event=-2')).toEqual({ view: 'session', session: 3 });
});
