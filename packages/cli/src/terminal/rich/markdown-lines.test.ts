import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ascii, unicode } from '../glyphs.js';
import { widthOf } from '../width.js';
import { markdownLines } from './markdown-lines.js';
import { lineText } from './span.js';

function shown(text: string, columns = 60): string {
  return markdownLines(text, columns, unicode)
    .map((line) => lineText(line).trimEnd())
    .join('\n');
}

const piece = fc.oneof(
  fc.constantFrom(
    '# Title\n',
    '- one\n- two\n',
    '1. a\n2. b\n',
    '```js\nlet x;\n```\n',
    '```\nopen',
    '\n\n',
    '> quoted\n',
  ),
  fc.constantFrom(
    '| a | b |\n|---|--:|\n| 1 | 2 |\n',
    '**bold** `code` [a](http://b.c)',
    '---\n',
    '\\*',
    '<b>',
    '&amp;',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const anyText = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));

test('every line fits, whatever the model writes', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 20, max: 100 }),
      fc.constantFrom(unicode, ascii),
      (text, columns, glyphs) => {
        for (const line of markdownLines(text, columns, glyphs)) {
          expect(widthOf(lineText(line))).toBeLessThanOrEqual(columns);
          expect(lineText(line)).not.toContain('\n');
        }
      },
    ),
  );
});

test('what is cut out of a long word fits behind the indentation of its line', () => {
  const lines = markdownLines('```\nopen!⺀!!!!!⺀➰!!!!⺀!!!!!!!!&amp;', 20, unicode);
  expect(lines.map((line) => widthOf(lineText(line)))).toEqual([20, 20, 5]);
});

test('no word is lost', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 20, max: 80 }), (words, columns) => {
      expect(shown(words.join(' '), columns).split(/\s+/)).toEqual(words);
    }),
  );
});

test('headings, paragraphs, lists and code', () => {
  expect(
    shown(
      [
        '# What I found\nThe **sum** is wrong in `total()`: it rounds\nevery line.',
        '',
        '1. Round once, at the end of everything that is summed up in here',
        '2. Run the tests',
        '   - unit',
        '   - slow',
        '',
        '```ts',
        'if (a) {',
        '  return b;',
        '}',
        '```',
        '> Quoted words that are long enough to need a second line of their own.',
        '- [x] done',
        '- [ ] open',
      ].join('\n'),
      50,
    ),
  ).toBe(
    [
      'What I found',
      '',
      'The sum is wrong in total(): it rounds',
      'every line.',
      '',
      '1. Round once, at the end of everything that is',
      '   summed up in here',
      '2. Run the tests',
      '   • unit',
      '   • slow',
      '',
      '│ ts',
      '│ if (a) {',
      '│   return b;',
      '│ }',
      '',
      '│ Quoted words that are long enough to need a',
      '│ second line of their own.',
      '',
      '• ✓ done',
      '• [ ] open',
    ].join('\n'),
  );
});

const table =
  '| name | what it is for | n |\n|---|---|--:|\n| one | a long explanation of what it is for | 10 |\n| two | short | 2 |\n';

test('a table keeps its columns, and its cells wrap where they must', () => {
  expect(shown(table, 60)).toBe(
    [
      'name │ what it is for                       │  n',
      '─────┼──────────────────────────────────────┼───',
      'one  │ a long explanation of what it is for │ 10',
      'two  │ short                                │  2',
    ].join('\n'),
  );
  expect(shown(table, 34)).toBe(
    [
      'name │ what it is for         │  n',
      '─────┼────────────────────────┼───',
      'one  │ a long explanation of  │ 10',
      '     │ what it is for         │',
      'two  │ short                  │  2',
    ].join('\n'),
  );
});

test('where there is no room for columns a table is written row by row', () => {
  expect(
    shown(
      '| first column | second column | third column |\n|---|---|---|\n| alpha beta | gamma delta | epsilon |\n',
      24,
    ),
  ).toBe(
    ['• first column: alpha', '    beta', '  second column: gamma', '    delta', '  third column: epsilon'].join('\n'),
  );
});

test('a code block that is still being written is code already', () => {
  expect(shown('```py\nprint(1)\n')).toBe('│ py\n│ print(1)');
});
