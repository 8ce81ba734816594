import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseName, counted, dollars, duration, grouped, oneLine, short, visible } from './words.js';

test('control characters, direction marks and lone surrogates are replaced by visible text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
      const text = visible(codes.map((code) => String.fromCharCode(code)).join(''));
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
      expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    }),
  );
  expect(visible('a\u0000b\u001b[31m\u202ec\td\r\ne')).toBe('a⟨00⟩b⟨1B⟩[31m⟨202E⟩c\td\ne');
  expect(oneLine(' a \n\n b\u0007 ')).toBe('a b⟨07⟩');
});

test('ordinary text is unchanged', () => {
  for (const text of ['plain', '日本語 🙂', '<script>alert(1)</script>', 'a\n\tb']) expect(visible(text)).toBe(text);
});

test('amounts are short, and unknown ones say so', () => {
  expect([short(999), short(41_234), short(1_234_567)]).toEqual(['999', '41.2k', '1.2M']);
  expect([dollars(undefined), dollars(0), dollars(0.0042), dollars(1.273), dollars(1204.4)]).toEqual([
    'unknown',
    '$0.00',
    '$0.0042',
    '$1.27',
    '$1,204',
  ]);
  expect([duration(undefined), duration(0.42), duration(61), duration(300)]).toEqual([
    'unknown',
    '0.4 min',
    '61 min',
    '5.0 h',
  ]);
  expect([counted(1, 'call'), counted(1200, 'call'), grouped(12345)]).toEqual(['1 call', '1,200 calls', '12,345']);
  expect([baseName('~/code/shop/'), baseName('C:\\work\\shop'), baseName('/')]).toEqual(['shop', 'shop', '/']);
});

test('the last part of a path is found in linear time', () => {
  expect(baseName(`a/${'/'.repeat(300_000)}b.jsonl//`)).toBe('b.jsonl');
  expect(baseName('//')).toBe('//');
});
