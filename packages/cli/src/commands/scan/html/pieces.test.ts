import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from './pieces.js';

const message = fc
  .array(fc.constantFrom('word ', 'Sentence. ', 'line\n', '🙂', 'x', 'longwordwithoutend'), { maxLength: 1500 })
  .map((parts) => parts.join(''));

test('pieces are the message, cut, and not more than asked for', () => {
  fc.assert(
    fc.property(message, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const pieces = piecesOf(text, most);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.length).toBeLessThanOrEqual(most);
      for (const piece of pieces) {
        expect(text.startsWith(piece.text, piece.from)).toBe(true);
        expect(piece.text).not.toMatch(/^[\udc00-\udfff]/);
      }
    }),
  );
});

test('a chant falls into equal pieces', () => {
  const pieces = piecesOf('I will now fix the bug. '.repeat(200)).map(({ text }) => text);
  expect(pieces.length).toBeGreaterThan(10);
  expect(new Set(pieces.slice(0, -1)).size).toBe(1);
});

test('a message of ordinary length stays whole', () => {
  expect(piecesOf('Let me look at the tests first. '.repeat(10))).toHaveLength(1);
});

test('a long row of stops does not take long', () => {
  const text = `${'!'.repeat(400_000)}x`;
  expect(
    piecesOf(text, 2)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});
