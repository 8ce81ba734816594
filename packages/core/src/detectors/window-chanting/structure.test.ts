import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSpace, readStructure } from './structure.js';

describe('readStructure', () => {
  test.each(['| a | b |', 'text\n  | a | b', '|||', '---', ' +-+', '\n\n\t|-|', '|\u00a0|'])(
    'sees a table in %j',
    (text) => {
      expect(readStructure(text).element).toBe(true);
    },
  );

  test.each(['* item', '+ item', '  * item', '1. first', 'text\n 12. twelfth', '*\n', '+\u3000x'])(
    'sees a list item in %j',
    (text) => {
      expect(readStructure(text).element).toBe(true);
    },
  );

  test.each(['# Title', '### Title', 'text\n#\ttitle', '#\n', '> quoted', 'text\n> quoted'])(
    'sees a heading or a quotation in %j',
    (text) => {
      expect(readStructure(text).element).toBe(true);
    },
  );

  test.each([
    '',
    'plain text',
    '- item', // a slip of theirs
    '-- two',
    '|a',
    '|a\r|b',
    '|a\u2028|b',
    'text | a | b |',
    '1.a',
    'a 1. b',
    '*bold*',
    '#hash',
    ' # indented',
    '>quoted',
    ' > indented',
    '\r# after a lone carriage return',
  ])('sees no structure in %j', (text) => {
    expect(readStructure(text)).toEqual({ fences: 0, divider: false, element: false });
  });

  test.each(['=====', '*', '_', '42', 'SELECT', 'I', '.', ',', '?', '@[\\]^', '───', '═╿'])(
    'takes %j for a ruled line',
    (text) => {
      expect(readStructure(text).divider).toBe(true);
    },
  );

  test.each(['', 'a', 'I am', '(', ')', '!', '#', '`', '{}', '~', 'É', '▀', '\n'])(
    'takes %j for no ruled line',
    (text) => {
      expect(readStructure(text).divider).toBe(false);
    },
  );

  test.each<[string, number]>([
    ['', 0],
    ['``', 0],
    ['```', 1],
    ['`````', 1],
    ['``````', 2],
    ['```ts\ncode\n```', 2],
  ])('counts the fences of %j: %i', (text, fences) => {
    expect(readStructure(text).fences).toBe(fences);
  });

  test('a line tells by itself: structure in one line is structure in the text', () => {
    const line = fc.string({ unit: fc.constantFrom(...'|-+*#>1. ab\t\r'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        // What follows a mark may be the end of the line itself.
        const ended = lines.map((text, k) => (k < lines.length - 1 ? `${text}\n` : text));
        const expected = ended.some((text) => readStructure(text).element);
        expect(readStructure(lines.join('\n')).element).toBe(expected);
      }),
    );
  });
});

describe('isSpace', () => {
  test('agrees with regular expressions and with trim about every code unit', () => {
    const other: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      if (isSpace(code) !== /\s/.test(character) || isSpace(code) !== (character.trim() === '')) other.push(code);
    }
    expect(other).toEqual([]);
  });
});
