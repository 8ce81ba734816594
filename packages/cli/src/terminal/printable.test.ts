import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inAscii } from './glyphs.js';
import { printable } from './printable.js';

test('nothing that is printable can move a cursor, change a colour or turn the reading direction', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(0xff), fc.nat(0xffff)), { maxLength: 60 }), (codes) => {
      const safe = printable(String.fromCharCode(...codes));
      expect(safe).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(encodeURIComponent(safe)).toBeTypeOf('string'); // throws where a surrogate stands alone
      expect(inAscii(safe)).toMatch(/^[\u0020-\u007e]*$/);
    }),
  );
});

test('ordinary text stays, on one line', () => {
  expect(printable('  one\n\ttwo  “three” 日本 🚀 ')).toBe('one two “three” 日本 🚀');
  expect(printable('red \u001b[31malert\u0007')).toBe('red ␛[31malert␇');
});
