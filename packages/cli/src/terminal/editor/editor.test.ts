import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key, KeyName } from '../keys/key.js';
import { type Editor, edit, sent, startEditor } from './editor.js';

const names: readonly KeyName[] = [
  ...(['newline', 'backspace', 'delete', 'delete-word', 'delete-to-start', 'delete-to-end', 'left', 'right'] as const),
  ...(['word-left', 'word-right', 'home', 'end', 'up', 'down', 'enter', 'escape', 'tab'] as const),
];
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom(...names).map((type): Key => ({ type })),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).map((text): Key => ({ type: 'text', text })),
  fc.constantFrom('one two', '日本', 'e\u0301', '👩‍👩‍👧').map((text): Key => ({ type: 'text', text })),
);

function typed(keys: readonly (Key | KeyName | string)[], editor: Editor = startEditor()): Editor {
  return keys.reduce<Editor>((at, one) => {
    if (typeof one !== 'string') return edit(at, one);
    return edit(at, names.includes(one as KeyName) ? { type: one as KeyName } : { type: 'text', text: one });
  }, editor);
}

test('whatever is typed, the cursor stays in the text and between characters', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), fc.array(fc.string(), { maxLength: 3 }), (keys, past) => {
      let editor = startEditor(past);
      for (const one of keys) {
        editor = edit(editor, one);
        expect(editor.cursor).toBeGreaterThanOrEqual(0);
        expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
        expect(editor.text.slice(0, editor.cursor)).not.toMatch(/[\ud800-\udbff]$/);
        expect(editor.place).toBeLessThanOrEqual(editor.past.length);
      }
    }),
  );
});

test('what is typed and taken back leaves nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      const editor = typed([{ type: 'text', text }]);
      const characters = [...new Intl.Segmenter().segment(text)].length;
      expect(typed(Array(characters).fill('backspace'), editor).text).toBe('');
    }),
  );
});

test.each<[readonly string[], string]>([
  [['abc', 'left', 'X'], 'abX|c'],
  [['one two', 'delete-word'], 'one |'],
  [['one two', 'home', 'word-right', 'delete-to-end'], 'one|'],
  [['ab', 'newline', 'cdef', 'up', 'X'], 'abX|\ncdef'],
  [['abcd', 'newline', 'e', 'up', 'home', 'down'], 'abcd\n|e'],
  [['a', 'newline', 'b', 'backspace', 'backspace'], 'a|'],
  [['x👩‍👩‍👧', 'backspace'], 'x|'],
])('%j gives %j', (keys, shown) => {
  const { text, cursor } = typed(keys);
  expect(`${text.slice(0, cursor)}|${text.slice(cursor)}`).toBe(shown);
});

test('up and down go through what was sent, and back to what was being typed', () => {
  let editor = sent(typed(['first'], sent(typed(['zeroth']))));
  editor = typed(['dra', 'up'], editor);
  expect(editor.text).toBe('first');
  expect(typed(['up', 'up', 'up'], editor).text).toBe('zeroth');
  expect(typed(['up', 'down', 'down', 'down'], editor).text).toBe('dra');
});

test('the same text twice in a row is remembered once, and nothing is not remembered', () => {
  const editor = sent(typed(['  '], sent(typed(['a'], sent(typed(['a']))))));
  expect(editor.past).toEqual(['a']);
});

test('a word to the left is found at once in a long text', () => {
  for (const unit of [' ', 'a', 'a ']) {
    const text = `${unit.repeat(150_000)}\nlast  `;
    expect(typed([{ type: 'word-left' }], typed([{ type: 'text', text }])).cursor).toBe(text.length - 6);
  }
});
