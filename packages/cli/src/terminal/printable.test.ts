import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inAscii } from './glyphs.js';
import { printable, printableText, visibleText } from './printable.js';

test('nothing that is printable can move a cursor, change a colour or turn the reading direction', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(0xff), fc.nat(0xffff)), { maxLength: 60 }), (codes) => {
      const safe = printable(String.fromCharCode(...codes));
      expect(safe).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(encodeURIComponent(safe)).toBeTypeOf('string'); // throws where a surrogate is alone
      expect(inAscii(safe)).toMatch(/^[\u0020-\u007e]*$/);
    }),
  );
});

test.each([printableText, visibleText])('nor can text of several lines: %o', (clean) => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('\u001b[31m', '\u001b]8;;http://x\u0007', '\u001bP1;2q', '\u009b1A', '\r\n', 'word', '\u202e'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const line of clean(pieces.join('')).split('\n'))
        expect(line).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
    }),
  );
});

test('text that a program wrote to a terminal loses its escape sequences, and text to approve loses nothing', () => {
  const written = '10%\r50%\r\u001b[1;32mdone\u001b[0m\r\n\tnext\u001b]0;title\u0007';
  expect(printableText(written)).toBe('done\n  next');
  expect(visibleText(written)).toBe('10%␍50%␍␛[1;32mdone␛[0m␍\n  next␛]0;title␇');
});

test('what is approved has no invisible characters, and no text has marks that turn the reading direction', () => {
  expect(visibleText('rm \u200b-rf\u{e0041} a\u2060b')).toBe('rm \ufffd-rf\ufffd a\ufffdb');
  expect(visibleText('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم');
  for (const clean of [printable, printableText, visibleText]) expect(clean('a\u061cb')).toBe('a\ufffdb');
});

test('ordinary text stays, on one line', () => {
  expect(printable('  one\n\ttwo  “three” 日本 🚀 ')).toBe('one two “three” 日本 🚀');
  expect(printable('red \u001b[31malert\u0007')).toBe('red ␛[31malert␇');
});

test('no line takes long, whatever it repeats', () => {
  for (const unit of ['\r', '\r \r', '\u001b[', '\u001b]8;', ' ', '\t\r'])
    expect(printableText(`${unit.repeat(300_000)}x`).endsWith('x')).toBe(unit !== '\u001b[');
});
