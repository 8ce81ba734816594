import { addText, addTextWithin, type Blocks, lengthOf, noBlocks, textOf } from '@loopfuse/conversation';
import fc from 'fast-check';
import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import { parseBlock } from './parse.js';

const block = fc.constantFrom(
  'A paragraph.\nOf two lines.',
  '- one\n- two\n\n  still two\n\n- three',
  '1. a\n2. b\n   ```js\n   let x;\n\n   let y;\n   ```',
  '```js\nlet x;\n\n- no list\n```',
  '~~~~\n```\n\nno end\n~~~~',
  'Before it\n```\ncode\n```\nbehind it',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> quoted\n> - and a list',
  '# Title',
  '---',
  '```a``` in a line',
);
const page = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));
const anyText = fc.oneof(
  page,
  fc.string({ unit: fc.constantFrom('`', '~', '\n', ' ', '-', '>', 'a', '#', '|', '1.', '*'), maxLength: 80 }),
);

function cutUp(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, k) => text.slice(at[k], end));
}

function whole(text: string): Blocks {
  return addText(noBlocks, text);
}

test('blocks are the same, however the text is cut into deltas', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(200), { maxLength: 30 }), (text, cuts) => {
      expect(cutUp(text, cuts).reduce(addText, noBlocks)).toEqual(whole(text));
      expect([...text].reduce(addText, noBlocks)).toEqual(whole(text));
    }),
  );
});

test('blocks are the same with limits for lines and blocks, too', () => {
  const limits = { line: 9, block: 20 };
  const add = addTextWithin(limits);
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(200), { maxLength: 30 }), (text, cuts) => {
      const whole = add(noBlocks, text);
      expect(cutUp(text, cuts).reduce(add, noBlocks)).toEqual(whole);
      expect(text.split('').reduce(add, noBlocks)).toEqual(whole);
      expect(textOf(whole)).toBe(text);
      expect(whole.fence === '' ? whole.rest.length - whole.looked : 0).toBeLessThan(limits.line);
    }),
  );
});

test('a long line is cut between words, and never within a character', () => {
  expect(addTextWithin({ line: 9, block: 99 })(noBlocks, 'one two three four')).toMatchObject({
    done: ['one two ', 'three '],
    rest: 'four',
  });
  expect(addTextWithin({ line: 3, block: 99 })(noBlocks, '😀😀😀').done).toEqual(['😀', '😀']);
});

test('no text is lost or changed, and finished blocks stay as they are', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, more) => {
      const before = whole(text);
      const after = addText(before, more);
      expect(textOf(before)).toBe(text);
      expect(lengthOf(before)).toBe(text.length);
      expect(after.done.slice(0, before.done.length)).toEqual(before.done);
    }),
  );
});

test('a page parsed block by block has the same blocks as parsed at once', () => {
  fc.assert(
    fc.property(page, (text) => {
      const kinds = new Lexer({ gfm: true })
        .lex(`${text}\n`)
        .flatMap(({ type }) =>
          type === 'space' ? [] : [type === 'hr' ? 'rule' : type === 'blockquote' ? 'quote' : type],
        );
      const { done, rest } = whole(`${text}\n`);
      expect([...done, rest].flatMap(parseBlock).map(({ type }) => type)).toEqual(kinds);
    }),
  );
});

test('only the last block of a long answer is parsed again', () => {
  const text = 'Some words of a paragraph.\n\n'.repeat(1000);
  const { done, rest } = whole(text);
  expect(done).toHaveLength(999);
  expect(rest.length).toBeLessThan(60);
});
