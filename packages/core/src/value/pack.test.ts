import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packUnits, unpackUnits } from './pack.js';

const units = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff })),
  fc.array(fc.integer({ min: 32, max: 126 })),
  fc.array(fc.constant(0)),
  fc.array(fc.constantFrom(0, 9, 10, 34, 92, 0xd800, 0xdfff, 0xe000, 0xffff)),
);

test('what was packed comes out again, through JSON', () => {
  fc.assert(
    fc.property(units, (values) => {
      const packed = JSON.parse(JSON.stringify(packUnits(Uint16Array.from(values))));
      expect([...unpackUnits(packed)]).toEqual(values);
    }),
  );
});

test('no unit needs more than three bytes of JSON, and plain text only one', () => {
  const bytes = (values: number[]) =>
    new TextEncoder().encode(JSON.stringify(packUnits(Uint16Array.from(values)))).length;
  fc.assert(
    fc.property(units, (values) => {
      expect(bytes(values)).toBeLessThanOrEqual(values.length * 3 + 4);
    }),
  );
  expect(bytes(Array(4096).fill(97))).toBe(4096 + 3);
  expect(bytes(Array(4096).fill(0))).toBeLessThan(10);
});

test('what was not packed is refused', () => {
  for (const wrong of ['', 'x', 'z-1', 'z1.5', 'zz', 'z99999999', 'b0', 'b00000', 'b!!!', 'b00Y', 'b00\u00e9'])
    expect(() => unpackUnits(wrong), JSON.stringify(wrong)).toThrow(TypeError);
});
