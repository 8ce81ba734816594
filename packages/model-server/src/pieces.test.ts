import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieces } from './pieces.js';

const cut = fc.oneof(fc.constant('tokens' as const), fc.constant('whole' as const), fc.integer({ min: 1, max: 9 }));
const text = fc.string({ unit: 'binary', maxLength: 60 });

describe('pieces', () => {
  it('joined are the text, whatever the cut', () => {
    fc.assert(
      fc.property(text, cut, (whole, how) => {
        expect(pieces(whole, how).join('')).toBe(whole);
      }),
    );
  });

  it('are never empty', () => {
    fc.assert(
      fc.property(text, cut, (whole, how) => {
        expect(pieces(whole, how)).not.toContain('');
      }),
    );
  });

  it('never split a character that the text has whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), cut, (whole, how) => {
        for (const piece of pieces(whole, how)) expect(piece).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  it('are words with the space before them when cut like tokens', () => {
    expect(pieces('Read it, please.')).toEqual(['Read', ' it', ',', ' please', '.']);
  });

  it('have the given number of characters when cut by a number', () => {
    expect(pieces('a🎉bcd', 2)).toEqual(['a🎉', 'bc', 'd']);
  });
});
