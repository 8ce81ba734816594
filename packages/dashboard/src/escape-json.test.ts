import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeJson } from './escape-json.js';

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('<', '>', '/', '!', '-', '&', '</script>', '<!--', '<script', ']]>', '\u2028', '\u2029'),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
});

test('what is escaped reads back as what it was', () => {
  fc.assert(
    fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), (value) => {
      // JSON.parse makes ordinary objects.
      expect(JSON.parse(escapeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('nothing in it means anything to HTML', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      // Halves of pairs that stand alone; whole pairs are characters like any other.
      expect(escapeJson({ text })).not.toMatch(/[<>&\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufffe\uffff]/u);
    }),
    {
      examples: [
        ['</script><script>alert(1)</script>'],
        ['<!--<script>'],
        ['\ud800'],
        ['\u0000\u2028'],
        ['\ud800\udc00'],
      ],
    },
  );
});
