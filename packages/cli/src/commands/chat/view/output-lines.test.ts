import type { Card } from '@loopfuse/conversation';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { widthOf } from '../../../terminal/width.js';
import { cardToShow, outputDialog, outputLines } from './output-lines.js';
import { pageOf } from './page.js';

const call = { id: 'c', tool: 'run_shell_command', input: {} };

function card(more: Partial<Card> = {}): { readonly type: 'tool' } & Card {
  return { type: 'tool', number: 3, call, title: 'npm test', status: 'ok', streamed: '', output: '', ...more };
}

function drawn(one: Card, text?: string, { columns = 60, rows = 12, utf8 = true, missing = 0 } = {}): string[] {
  const page = pageOf({ out: fakeTerminal({ utf8 }) }, { columns, rows });
  const whole = text === undefined ? undefined : { call, title: 'npm test', text, missing };
  return outputLines(outputDialog(one, whole, page), page).map((line) => line.map((span) => span.text).join(''));
}

const many = Array.from({ length: 30 }, (_, k) => `line ${k}`).join('\n');

test('all of an output, as much of it at a time as there is room for', () => {
  const rule = '─'.repeat(60);
  expect(drawn(card({ streamed: 'line 29' }), `${many}\n`)).toEqual([
    'Call 3: run_shell_command npm test',
    rule,
    ...['line 0', 'line 1', 'line 2', 'line 3', 'line 4'],
    rule,
    'Esc closes · 1 to 5 of 30 lines · Up, Down, Space, b',
  ]);
  expect(drawn(card({ output: 'found' }))).toEqual([
    'Call 3: run_shell_command npm test',
    rule,
    'found',
    rule,
    'Esc closes · 1 line',
  ]);
});

test('nothing in it moves the cursor or paints, and long lines are whole', () => {
  const hostile = `\u001b[2J\u001b]0;title\u0007red\u001b[31m\u0008\r\n${'x'.repeat(130)}\u202e`;
  const lines = drawn(card(), hostile, { columns: 40 });
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(lines.join('').match(/x/g)).toHaveLength(130);
  expect(lines.filter((line) => widthOf(line) > 40)).toEqual([]);
  expect(drawn(card(), hostile, { columns: 40, utf8: false }).join('')).toMatch(/^[\x20-\x7e]*$/);
});

test('a note says what is no longer kept; a change is shown as a diff', () => {
  expect(drawn(card(), 'end', { missing: 12_345 })[2]).toBe('[12,345 characters before this are not kept any more]');
  const patch = '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n';
  const change = card({ output: 'Changed a.', display: { type: 'diff', path: 'a', patch } });
  expect(drawn(change).slice(2, 5)).toEqual(['@@ -1 +1 @@', '-x', '+y']);
});

test('a call is found by its number, or the latest that has output', () => {
  const cards = [card({ number: 1, output: 'a' }), card({ number: 2 }), card({ number: 3, status: 'pending' })];
  expect(cardToShow(cards, undefined)).toBe(cards[0]);
  expect(cardToShow(cards, 1)).toBe(cards[0]);
  expect(cardToShow(cards, 2)).toBe('Call 2 has no output.');
  expect(cardToShow(cards, 4)).toBe('There is no call 4 on this screen.');
  expect(cardToShow([], undefined)).toBe('No call has any output yet.');
});
