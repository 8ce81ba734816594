import { expect, test } from 'vitest';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { startEditor, withText } from '../../../terminal/editor/editor.js';
import { widthOf } from '../../../terminal/width.js';
import { slashCommands } from '../screen/commands.js';
import { menuLines } from './menu-lines.js';
import { pageOf } from './page.js';

function drawn(text: string, menu: number | undefined, { columns = 80, rows = 30, utf8 = true } = {}): string[] {
  const page = pageOf({ out: fakeTerminal({ utf8 }) }, { columns, rows });
  const lines = menuLines({ editor: withText(startEditor(), text), menu }, page);
  return lines.map((line) => line.map((span) => span.text).join(''));
}

test('each command that can be meant has a line, and the marked one a mark that needs no colour', () => {
  expect(drawn('/re', 1)).toEqual([
    '  /restore  put back what the loop guard took out of the context of the model l…',
    '❯ /resume   go on with an earlier session in this folder',
    'Enter runs · Tab completes · Esc closes',
  ]);
  expect(drawn('/', 0)).toHaveLength(slashCommands.length + 1);
  expect([drawn('/', undefined), drawn('hello', 0)]).toEqual([[], []]);
});

test.each([true, false])(
  'in a terminal of 40 by 12 every line fits (Unicode: %s), and the marked one is there',
  (utf8) => {
    for (const [k, { name }] of slashCommands.entries()) {
      const lines = drawn('/', k, { columns: 40, rows: 12, utf8 });
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(lines.filter((line) => widthOf(line) > 40)).toEqual([]);
      expect(lines.filter((line) => line.startsWith(`${utf8 ? '❯' : '>'} /${name}`))).toHaveLength(1);
      if (!utf8) expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
    }
  },
);
