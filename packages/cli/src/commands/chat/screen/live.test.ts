import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicode } from '../../../terminal/glyphs.js';
import { markdownLines } from '../../../terminal/rich/markdown-lines.js';
import { lineText } from '../../../terminal/rich/span.js';
import { addCard, finish, finishCard, type Scroll, safeCut, say, streamTo, think } from './live.js';

const empty: Scroll = { items: [], live: [] };
const card = (id: string) => ({
  call: { id, tool: 'ls', input: {} },
  title: '.',
  status: 'pending' as const,
  streamed: '',
  output: '',
});

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

function shown(text: string): string[] {
  return markdownLines(text, 60, unicode)
    .map((line) => lineText(line).trimEnd())
    .filter((line) => line !== '');
}

test('an answer looks the same, however it is cut into deltas and wherever its blocks are committed', () => {
  fc.assert(
    fc.property(page, fc.array(fc.nat(300), { maxLength: 20 }), (text, cuts) => {
      const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
      const deltas = at.slice(1).map((end, k) => text.slice(at[k], end));
      const { items, live } = finish(deltas.reduce(say, empty));
      expect(live).toEqual([]);
      const pieces = items.map((item) => (item.type === 'says' ? item.text : ''));
      expect(pieces.join('')).toBe(text);
      expect(pieces.flatMap(shown)).toEqual(shown(text));
    }),
  );
});

test.each([
  ['one\n\ntwo', 0],
  ['one\n\ntwo\n', 5],
  ['one\n\n- two\n', 0],
  ['one\n\n  two\n', 0],
  ['```\n\none\n', 0],
  ['```\n\none\n```\n\ntwo\n', 14],
  ['', 0],
])('%j is whole up to %i', (text, cut) => {
  expect(safeCut(text)).toBe(cut);
});

test('calls side by side stay in order: none becomes an item before those above it have their results', () => {
  let scroll = ['a', 'b', 'c'].reduce((at, id) => addCard(at, card(id)), say(empty, 'I look.'));
  expect(scroll.items.map(({ type }) => type)).toEqual(['says']);
  scroll = finishCard(scroll, 'b', { status: 'ok', output: 'x' });
  expect(scroll.live).toHaveLength(3);
  scroll = finishCard(streamTo(scroll, 'a', 'out'), 'a', { status: 'failed', output: 'y' });
  expect(scroll.items.slice(1)).toMatchObject([
    { call: { id: 'a' }, status: 'failed', streamed: 'out' },
    { call: { id: 'b' }, status: 'ok' },
  ]);
  expect(finish(scroll).items.at(-1)).toMatchObject({ call: { id: 'c' }, status: 'not-run' });
});

test('thoughts and words take turns, and empty ones leave nothing', () => {
  const scroll = finish(say(think(say(think(think(empty, 'hm', false), ' so', false), 'Yes.'), ' ', false), '\n'));
  expect(scroll.items).toEqual([
    { type: 'thinks', text: 'hm so', full: false },
    { type: 'says', text: 'Yes.' },
  ]);
});

test('of what a tool writes only the end is kept', () => {
  let scroll = addCard(empty, card('a'));
  for (let k = 0; k < 1000; k++) scroll = streamTo(scroll, 'a', `line ${k}\n`);
  expect(scroll.live[0]).toMatchObject({ streamed: expect.stringMatching(/line 999\n$/) });
  expect(JSON.stringify(scroll).length).toBeLessThan(6000);
});
