import type { Display } from '@loopfuse/agent';
import { render } from 'ink-testing-library';
import { createElement, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { callLoop, textLoop } from '../../../../../conversation/testing/loop-report.js';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { startEditor, withText } from '../../../terminal/editor/editor.js';
import { openLoopDialog, pressInLoopDialog } from '../screen/loop-dialog.js';
import { ApprovalView } from './approval-view.js';
import { PageContext } from './lines.js';
import { LoopDialogView } from './loop-dialog-view.js';
import { pageOf } from './page.js';
import { SessionView } from './session-view.js';

/** What a view looks like on a terminal of this kind, without the blanks at the ends of lines. */
function drawn(view: ReactElement, { columns = 80, rows = 30, utf8 = true } = {}): string {
  const page = pageOf({ out: fakeTerminal({ utf8 }) }, { columns, rows });
  const { lastFrame, unmount } = render(createElement(PageContext.Provider, { value: page }, view));
  const frame = lastFrame() ?? '';
  unmount();
  return frame.replace(/ +$/gm, '');
}

const calls = [{ id: 'c', tool: 'read_file', input: { path: 'README.md' } }];

test('a loop of calls: the pattern, the tool with its arguments, how often, what it cost, and the five choices', () => {
  expect(drawn(createElement(LoopDialogView, { dialog: openLoopDialog(callLoop(), { calls, cost: 0.0075 }) }))).toBe(
    `╭──────────────────────────────────────────────────────────────────────────────╮
│ ↯ Repeated calls                                                             │
│ The call read_file (README.md) was made 3 times in a row, with the same      │
│ result each time.                                                            │
│ Call  read_file {"path":"README.md"}                                         │
│ Cost  2,340 tokens, ≈ $0.0075 since it began                                 │
│ Held  1 call, not run                                                        │
│                                                                              │
│ ❯ 1 Stop                  you say what comes next                            │
│   2 Continue once         asks again if the loop repeats                     │
│   3 Continue with a hint  you type it                                        │
│   4 Never flag read_file  in this session                                    │
│   5 Switch detection off  for this session                                   │
│ Up, down and Enter, or a number · Esc stops                                  │
╰──────────────────────────────────────────────────────────────────────────────╯`,
  );
});

test('a loop of text: the sentence, and four choices', () => {
  const shown = drawn(createElement(LoopDialogView, { dialog: openLoopDialog(textLoop()) }));
  expect(shown).toContain('"I will check. "');
  expect(shown).toContain('4 Switch detection off');
  expect(shown).not.toMatch(/Never flag|Call {2}|Held|Cost/);
});

test('a hint is typed in the dialog', () => {
  const typing = ['3', 'Look at src'].reduce((dialog, text) => {
    const next = pressInLoopDialog(dialog, { type: 'text', text });
    if (!('type' in next)) throw new Error('a hint must be sent first');
    return next;
  }, openLoopDialog(callLoop()));
  const shown = drawn(createElement(LoopDialogView, { dialog: typing }));
  expect(shown).toContain('❯ Look at src▏');
  expect(shown).toContain('Enter sends it · Esc goes back');
  expect(shown).not.toContain('Stop ');
});

test('without UTF-8 a dialog is plain ASCII, and without colours nothing is coloured', () => {
  const dialog = openLoopDialog(callLoop(), { calls, cost: 0.5 });
  expect(drawn(createElement(LoopDialogView, { dialog }), { utf8: false })).toMatch(/^[\n\u0020-\u007e]*$/);
  expect(drawn(createElement(LoopDialogView, { dialog }))).not.toContain('\u001b');
});

test.each([30, 40, 60, 120, 300])('a dialog stays within %i columns', (columns) => {
  const long = callLoop({ explanation: `${'word '.repeat(80)}${'x'.repeat(200)}` });
  const dialog = openLoopDialog(long, { calls: [{ ...calls[0]!, input: { path: 'y'.repeat(900) } }], cost: 1 });
  const lines = drawn(createElement(LoopDialogView, { dialog }), { columns }).split('\n');
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  expect(lines.length).toBeLessThanOrEqual(20);
});

function approval(display: Display, rows = 30): string {
  const request = {
    call: { id: 'c', tool: 'replace', input: {} },
    title: 'a.ts',
    effect: display.type === 'command' ? ('run' as const) : ('edit' as const),
    display,
    covers: ['replace'],
  };
  return drawn(createElement(ApprovalView, { dialog: { type: 'approval', id: 1, request, chosen: 0 } }), { rows });
}

test('what is approved is shown with nothing hidden in it', () => {
  const shown = approval({ type: 'command', command: 'ls\u001b[8m; rm -rf ~\r\u001b[0m\ttrue', folder: '/w' });
  expect(shown).toContain('Run this command?');
  expect(shown).toContain('ls␛[8m; rm -rf ~␍␛[0m  true');
  expect(shown).not.toContain('\u001b');
});

test('saying no can be said with words, also in a narrow terminal', () => {
  const call = { id: 'c', tool: 'run_shell_command', input: {} };
  const display = { type: 'command', command: 'npm i', folder: '/w' } as const;
  const request = { call, title: 'npm i', effect: 'run', display, covers: ['npm i'] } as const;
  const dialog = { type: 'approval', id: 1, request, chosen: 3 } as const;
  const asked = drawn(createElement(ApprovalView, { dialog }), { columns: 40 });
  expect(asked).toContain('│ ❯ i No, and say what to do instead   │');
  const typing = { ...dialog, instead: withText(startEditor(), 'Use pnpm') };
  const typed = drawn(createElement(ApprovalView, { dialog: typing }), { columns: 40 });
  expect(typed).toContain('│ ❯ Use pnpm▏ ');
  expect(typed).toContain('Enter sends it · Esc goes back');
  for (const line of [...asked.split('\n'), ...typed.split('\n')]) expect([...line].length).toBeLessThanOrEqual(40);
});

test('a change is shown as a difference, a long line of it in whole', () => {
  const patch = `Index: a.ts\n--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+${'two '.repeat(40)}end\n`;
  const shown = approval({ type: 'diff', path: 'a.ts', patch });
  expect(shown).toContain('Let replace change a.ts?');
  expect(shown).toContain('│ -one ');
  expect(shown).toContain('end ');
  expect(shown).not.toContain('Index');
});

test('of a long change as much is shown as fits, and how to see the rest', () => {
  const patch = `@@ -0,0 +1,90 @@\n${Array.from({ length: 90 }, (_, k) => `+line ${k}`).join('\n')}\n`;
  const shown = approval({ type: 'diff', path: 'a.ts', patch }, 24);
  expect(shown).toMatch(/… 8\d more lines; Ctrl-O shows all of it above/);
  expect(shown.split('\n').length).toBeLessThan(24);
});

test('sessions are listed with their dates, the chosen one in view', () => {
  const sessions = Array.from({ length: 30 }, (_, k) => ({
    id: `s${k}`,
    file: '',
    updatedAt: new Date(2026, 10, 15, 3, 30 - k).toISOString(),
    model: 'm',
    title: `Request ${k}`,
    messages: k + 1,
    halted: k === 20,
  }));
  const shown = drawn(createElement(SessionView, { dialog: { type: 'sessions', sessions, chosen: 20 } }));
  expect(shown).toContain('Which session? 30 in this folder');
  expect(shown).toContain('❯ 2026-11-15 03:10  Request 20  21 messages, halted by a loop');
  expect(shown.split('\n').length).toBeLessThan(16);
});
