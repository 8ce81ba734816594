import { type Conversation, entries, type Item, reduce, startConversation, textOf } from '@loopfuse/conversation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicode } from '../../../terminal/glyphs.js';
import { markdownLines } from '../../../terminal/rich/markdown-lines.js';
import { lineText } from '../../../terminal/rich/span.js';
import { piecesOf } from './pieces.js';

const block = fc.constantFrom(
  'A paragraph.\nOf two lines.',
  '- one\n- two\n\n  still two',
  '1. a\n2. b',
  '```js\nlet x;\n\nlet y;\n```',
  '~~~~\n```\n\nno end\n~~~~',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> quoted',
  '# Title',
);
const page = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

function drawn(text: string): string[] {
  return markdownLines(text, 60, unicode)
    .map((line) => lineText(line).trimEnd())
    .filter((line) => line !== '');
}

const textIn = (item: Item) => (item.type === 'says' ? textOf(item.text) : '');
const finalOf = (state: Conversation) => entries(state).flatMap((item) => piecesOf(item).final);

test('an answer looks the same, however it is cut into deltas, and what is drawn for good stays', () => {
  fc.assert(
    fc.property(page, fc.array(fc.nat(300), { maxLength: 20 }), (text, cuts) => {
      const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
      let state = startConversation();
      for (const [k, end] of at.slice(1).entries()) {
        const before = finalOf(state).map(textIn);
        state = reduce(state, { type: 'content', text: text.slice(at[k], end) });
        expect(finalOf(state).map(textIn).slice(0, before.length)).toEqual(before);
      }
      const before = finalOf(state).map(textIn);
      const pieces = finalOf(reduce(state, { type: 'settled' })).map(textIn);
      expect(pieces.slice(0, before.length)).toEqual(before);
      expect(pieces.join('')).toBe(text);
      expect(pieces.flatMap(drawn)).toEqual(drawn(text));
    }),
  );
});

test('a line without an end is not drawn for good before it ends', () => {
  const state = reduce(startConversation(), { type: 'content', text: 'word '.repeat(3000) });
  expect(finalOf(state)).toEqual([]);
  expect(finalOf(reduce(state, { type: 'settled' }))).toHaveLength(1);
});
