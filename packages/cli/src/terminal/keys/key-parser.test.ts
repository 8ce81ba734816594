import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from './key.js';
import { createKeyParser } from './key-parser.js';

function keysOf(...chunks: string[]): Key[] {
  const parser = createKeyParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()];
}

/** Text that came in pieces is the same text. */
function joined(keys: readonly Key[]): Key[] {
  const all: Key[] = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.type !== 'text' || last?.type !== 'text') all.push(key);
    else all[all.length - 1] = { type: 'text', text: last.text + key.text };
  }
  return all;
}

const pieces = fc.oneof(
  fc.constantFrom('\r', '\n', '\u001b[A', '\u001bOB', '\u001b[1;5C', '\u001b\r', '\u0003', '\u007f', '\u001b[3~'),
  fc.constantFrom('\u001b[200~a\r\nb\u001b[31mc\u001b[201~', '\u001b[200~\u001b[201~', '\u001b[13;2u', '\u001b[99;99z'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

test('where the chunks are cut does not matter', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(80), { maxLength: 12 }), (parts, cuts) => {
      const all = parts.join('');
      const at = [...new Set([0, ...cuts.filter((cut) => cut < all.length), all.length])].sort((a, b) => a - b);
      const chunks = at.slice(1).map((end, k) => all.slice(at[k], end));
      expect(joined(keysOf(...chunks))).toEqual(joined(keysOf(all)));
    }),
  );
});

test('no input breaks it, and control characters pass only in pasted text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (sent) => {
      for (const key of keysOf(sent.replaceAll('\u001b[200~', '')))
        if (key.type === 'text') expect(key.text).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
});

test.each<[string, Key[]]>([
  ['hello\r', [{ type: 'text', text: 'hello' }, { type: 'enter' }]],
  ['a\nb', [{ type: 'text', text: 'a' }, { type: 'newline' }, { type: 'text', text: 'b' }]],
  ['\u001b', [{ type: 'escape' }]],
  ['\u001b\u001b', [{ type: 'escape' }, { type: 'escape' }]],
  ['\u001b[A\u001bOA', [{ type: 'up' }, { type: 'up' }]],
  ['\u001b\r', [{ type: 'newline' }]],
  ['\u001b[200~one\r\ntwo\r\u001b[201~\r', [{ type: 'text', text: 'one\ntwo\n' }, { type: 'enter' }]],
  ['\u001b[5~x', [{ type: 'text', text: 'x' }]],
  ['\u0003\u0003', [{ type: 'interrupt' }, { type: 'interrupt' }]],
])('%j is %j', (sent, keys) => {
  expect(keysOf(sent)).toEqual(keys);
});

test('an Escape is held back until nothing more comes', () => {
  const parser = createKeyParser();
  expect([parser.push('\u001b'), parser.waiting]).toEqual([[], true]);
  expect(parser.push('[B')).toEqual([{ type: 'down' }]);
  parser.push('\u001b');
  expect([parser.flush(), parser.waiting]).toEqual([[{ type: 'escape' }], false]);
});
