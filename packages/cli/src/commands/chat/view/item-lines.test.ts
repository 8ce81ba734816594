import { addText, type Item, noBlocks } from '@loopfuse/conversation';
import { expect, test } from 'vitest';
import { callLoop } from '../../../../../conversation/testing/loop-report.js';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { lineText } from '../../../terminal/rich/span.js';
import { widthOf } from '../../../terminal/width.js';
import { type Drawing, itemLines } from './item-lines.js';
import { pageOf } from './page.js';

const pageFor = (columns: number) => pageOf({ out: fakeTerminal() }, { columns, rows: 30 });

function shown(item: Item, how: Drawing = {}): string {
  return itemLines(item, undefined, pageFor(60), how).map(lineText).join('\n');
}

function thinks(text: string): Item {
  return { type: 'thinks', text: addText(noBlocks, text), open: false };
}

function card(more: Partial<Extract<Item, { type: 'tool' }>>): Item {
  const call = { id: 'c', tool: 'read_file', input: {} };
  return { type: 'tool', number: 1, call, title: 'a.ts', status: 'ok', streamed: '', output: 'x', ...more };
}

const waste = { calls: 2, characters: 0, tokens: 100 };

test.each<[string, Item, string]>([
  ['a short result', card({ output: 'fine' }), '✓ read_file a.ts · fine'],
  ['a call that took a while', card({ output: 'fine', milliseconds: 65_000 }), '✓ read_file a.ts · fine · 1 min 5 s'],
  ['a failure that took a while', card({ status: 'failed', milliseconds: 2345 }), '✗ read_file a.ts · 2.3 s\n  │ x'],
  ['a long result', card({ output: 'a\nb\nc\n' }), '✓ read_file a.ts · 3 lines'],
  ['a failure', card({ status: 'failed', output: 'It broke.\nBadly.' }), '✗ read_file a.ts\n  │ It broke.\n  │ Badly.'],
  ['a refusal', card({ status: 'refused', output: 'no' }), '✗ read_file a.ts · declined'],
  [
    'a refusal with what to do instead',
    card({ status: 'refused', output: 'for the model', instead: 'Use pnpm.\nNot npm\u001b[2J.' }),
    '✗ read_file a.ts · declined, with the message:\n  │ Use pnpm.\n  │ Not npm.',
  ],
  ['a call that the guard refused', card({ status: 'blocked' }), '↯ read_file a.ts · refused by the loop guard'],
  ['a cancelled call', card({ status: 'cancelled', streamed: 'one\n' }), '– read_file a.ts · cancelled\n  │ one'],
  ['a call that was dropped', card({ status: 'not-run' }), '– read_file a.ts · not run'],
  [
    'the end of what a command wrote',
    card({ streamed: '1\n2\n3\n4\n5\n6\n' }),
    '✓ read_file a.ts\n  │ … 3 lines before · /output 1\n  │ 4\n  │ 5\n  │ 6',
  ],
  [
    'the end of what a command wrote of which not all is kept',
    card({ streamed: '98\n99\n', linesBefore: 97, number: 7 }),
    '✓ read_file a.ts\n  │ … 97 lines before · /output 7\n  │ 98\n  │ 99',
  ],
  ['a progress bar', card({ streamed: '10%\r20%\r100%\u001b[32m ok\u001b[0m\n' }), '✓ read_file a.ts\n  │ 100% ok'],
  [
    'a difference',
    card({ display: { type: 'diff', path: 'a', patch: '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n' } }),
    '✓ read_file a.ts · +1 -1\n  │ @@ -1 +1 @@\n  │ -x\n  │ +y',
  ],
  ['a thought', thinks('Hm.\n\nSo it is.'), '∴ Hm. So it is.'],
  ['the person', { type: 'you', text: 'fix\nit' }, '❯ fix\n  it'],
  [
    'what the person attached',
    { type: 'you', text: 'fix it', attached: [{ path: 'a.ts', lines: [3, 9] }] },
    '❯ fix it\n  attached: a.ts:3-9',
  ],
])('%s', (_, item, lines) => {
  expect(shown(item)).toBe(lines);
});

test('a thought in full', () => {
  expect(shown(thinks('Hm.\nSo it is.'), { full: true })).toBe('∴ Hm.\n  So it is.');
});

test('an action of the guard takes one line, however long its description', () => {
  const notice = { kind: 'cycle', title: 'A cycle', explanation: 'word '.repeat(90), waste } as const;
  const lines = shown({ type: 'guard', what: 'told', ...notice, done: 'the model was told' }).split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^↯ A cycle: the model was told\. word/);
});

test('what was taken out of the context is listed, with the way to put it back', () => {
  const notice = { kind: 'cycle', title: 'A cycle', explanation: 'It goes round.', waste } as const;
  const message = 'It repeats. What was tried:\n- read_file {"path":"a"}, 2 times: one';
  const text = shown({ type: 'guard', what: 'rewound', ...notice, done: '2 rounds left', message, takenOut: 'r' });
  expect(text.split('\n').slice(1)).toEqual(['  - read_file {"path":"a"}, 2 times: one', '  /restore puts it back.']);
});

test('what halted the request is told in full', () => {
  const report = callLoop({ title: 'A cycle', explanation: 'word '.repeat(30).trim(), waste });
  const loop = { type: 'loop', report, calls: [], state: 'answered' } as const;
  const told = `↯ A cycle: ${'word '.repeat(30)}Spent on it: 100 tokens`;
  expect(shown(loop).replace(/\s+/g, ' ')).toBe(`${told}.`);
  expect(shown({ ...loop, choice: 'stop', cost: 0.5 }).replace(/\s+/g, ' ')).toBe(
    `${told}, about $0.50. Stopped. Say what to do instead.`,
  );
});

test.each([30, 50, 100])('everything fits into %i columns', (columns) => {
  const text = `${'wide日本語 '.repeat(20)}${'x'.repeat(200)}\n\u001b[31mred\u0007`;
  const items: Item[] = [
    { type: 'you', text },
    { type: 'says', text: addText(noBlocks, text), open: false },
    thinks(text),
    { type: 'note', tone: 'bad', text },
    {
      type: 'list',
      rows: [
        ['/loop', text],
        [`/${'y'.repeat(80)}`, text],
      ],
    },
    { type: 'display', display: { type: 'command', command: text, folder: '/w' } },
    card({ title: text, streamed: text }),
    card({ status: 'failed', output: text }),
  ];
  for (const item of items)
    for (const line of itemLines(item, undefined, pageFor(columns), { full: true })) {
      expect(widthOf(lineText(line))).toBeLessThanOrEqual(columns);
      expect(lineText(line)).not.toMatch(/[\u0000-\u001f\u007f]/);
    }
});

test('a name in a list that is too long to stand beside its text stands above it, whole', () => {
  const rows = [
    ['/quit', 'leave; the session is kept'],
    ['/approval [ask | auto-edit | yolo]', 'which changes need your approval'],
  ] as const;
  const lines = itemLines({ type: 'list', rows }, undefined, pageFor(40)).map((line) => lineText(line).trimEnd());
  expect(lines).toEqual([
    '  /quit          leave; the session is',
    '                 kept',
    '  /approval [ask | auto-edit | yolo]',
    '                 which changes need your',
    '                 approval',
  ]);
});
