import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePlainly, encodeUtf8 } from './utf8.js';

test('our encoder and the platform’s give the same bytes, lone surrogates included', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const theirs = new Uint8Array(text.length * 3);
      const ours = new Uint8Array(text.length * 3);
      expect(encodePlainly(text, ours)).toBe(encodeUtf8(text, theirs));
      expect(ours).toEqual(theirs);
    }),
  );
});
