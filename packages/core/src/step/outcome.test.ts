import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWaiting, outcomeOf, textOf } from './outcome.js';

const same = (a: string, b: string) => outcomeOf(a).masked === outcomeOf(b).masked;

describe('the outcome of a call', () => {
  test.each([
    ['a line of a shell', 'bash: line 41: cd: x: No such file', 'bash: line 45: cd: x: No such file'],
    ['a duration', 'Tests passed in 1.32s', 'Tests passed in 0.9s'],
    ['how long ago', 'You visited this page 8 seconds ago.', 'You visited this page 31 seconds ago.'],
    ['a clock', '[12:01:59] done', '[12:44:03.120] done'],
    ['a process', 'started with pid 4711', 'started with pid 12'],
    [
      'a chunk and its wall time',
      'Chunk ID: 3fa2b1\nWall time: 0.0000 seconds\nok',
      'Chunk ID: 9bcf96\nWall time: 1.2000 seconds\nok',
    ],
    ['an attempt', 'attempt 2 failed', 'attempt 3 failed'],
    [
      'the processes of a shell',
      'Background PIDs: 20583\nProcess Group PGID: 20579',
      'Background PIDs: 77\nProcess Group PGID: 5',
    ],
    ['the process that writes a log', 'sshd[2227]: session closed', 'sshd[31415]: session closed'],
    [
      'the names of what a page shows',
      "\t[12] link 'Home'\n\t[15] link 'Cart'",
      "\t[412] link 'Home'\n\t[419] link 'Cart'",
    ],
    ['white space', 'a  b\n', ' a b'],
    ['a long number', 'token 1234567890123', 'token 9999999999999'],
  ])('is the same up to %s', (_name, a, b) => {
    expect(same(a, b)).toBe(true);
    expect(outcomeOf(a).exact === outcomeOf(b).exact).toBe(
      a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim(),
    );
  });

  test('is told by what is said beside a picture, and else by the picture', () => {
    const shot = (data: string, alt = '') =>
      outcomeOf(textOf([{ type: 'image', source: { media_type: 'image/png', data }, alt }]));
    const told = 'Page "License". Checkbox "I accept the terms" is grey. The buttons Back and Next are out of use.';
    expect(shot('aGVsbG8', told).masked).toBe(shot('d29ybGQ', told).masked);
    expect(shot('aGVsbG8').masked).toBe(shot('aGVsbG8').masked);
    expect(shot('aGVsbG8').masked).not.toBe(shot('d29ybGQ').masked);
    expect(textOf({ mimeType: 'image/png', data: 'A'.repeat(500_000) }).length).toBeLessThan(100);
  });

  test('does not know how long it took', () => {
    expect(textOf({ output: 'Built.', metadata: { exit_code: 0, duration_seconds: 3.1 } })).toBe('Built.');
  });

  test.each([
    ['[(0,)]', '[(5,)]'],
    ['1327.0', '1172.0'],
    ['3 tests failed', '2 tests failed'],
    ['lines 100 to 200', 'lines 200 to 300'],
    ['total price is 1203', 'total price is 957'],
    ['2026-05-16', '2026-05-17'],
    ['items[31]: late', 'items[32] late'],
    ['row [12] is late', 'row [13] is late'],
  ])('differs in substance: %j and %j', (a, b) => {
    expect(same(a, b)).toBe(false);
  });

  test('is the same for the same text, and the exact one differs for texts that differ', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const folded = (text: string) => text.replace(/[\0-\x20\xa0]+/g, ' ').replace(/^ | $/g, '');
        expect(outcomeOf(a)).toEqual(outcomeOf(a));
        expect(outcomeOf(a).exact === outcomeOf(b).exact).toBe(folded(a) === folded(b));
      }),
    );
  });

  test.each([
    '',
    '[]',
    '{}',
    'ok',
    'Done.',
    'The file a.ts has been updated successfully.',
    'No matches found',
    'No class found with the name InvoiceExporter.',
    'No search results found',
    'Found 0 results for "tide table"',
    '0 issues.',
    'nothing to commit, working tree clean',
  ])('%j proves nothing', (text) => {
    expect(outcomeOf(text).trivial).toBe(true);
  });

  test('of a message of blocks is its text', () => {
    expect(
      textOf([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ).toBe('a\nb');
    expect(textOf({ b: 1, a: [true, null] })).toBe(textOf({ a: [true, null], b: 1 }));
  });

  test('of an object in JSON is that of the object, and broken JSON is a text', () => {
    const given = { step: 'build', files: ['a.ts', 'b.ts'], output: 'Built.' };
    expect(textOf(JSON.stringify(given))).toBe(textOf(given));
    expect(textOf('{"output": "Built.')).toBe('{"output": "Built.');
    expect(textOf('{not: json}')).toBe('{not: json}');
  });

  test('of what a process gives back is what it printed; and how it ended, where it failed', () => {
    expect(textOf({ stdout: 'Built.', stderr: '', exit_code: 0 }).trim()).toBe('Built.');
    expect(textOf({ stdout: 'Built.', stderr: '', exit_code: 2 }).trim()).toBe('exit_code: 2\nBuilt.');
    expect(textOf({ error: null, is_error: false, result: 'Built.' })).toBe('Built.');
  });

  test('is what stands between tags, without the colours of a terminal', () => {
    expect(textOf('<output>\nNo results.\n</output>\n')).toBe('No results.');
    expect(textOf({ content: '<tool_result></tool_result>' })).toBe('');
    expect(textOf('\u001b[1;31merror\u001b[0m: no rule')).toBe('error: no rule');
    expect(textOf('\u001b[?25l\u001b[2Kdone')).toBe('done');
    expect(textOf('<returncode>0</returncode>\n<output>\n12 passed\n</output>')).toBe('12 passed');
    expect(textOf('<returncode>2</returncode>\n<output>\nmake: *** no rule\n</output>')).toBe(
      'returncode: 2\nmake: *** no rule',
    );
    for (const text of ['<a>1</a> and <b>2</b>', '<p>one', '<', '<>', '</>', '<a></b>', '<a'])
      expect(textOf(text)).toBe(text);
  });

  test('leaves out what is not so where it stands beside a result', () => {
    expect(textOf({ observation: 'No results.', done: false, next: null, pages: 0 })).toBe('No results.\npages: 0');
    expect(textOf({ output: 'No results.', success: false })).toBe('success: false\nNo results.');
    expect(textOf({ done: false, moved: false })).toBe('done: false, moved: false');
  });

  test('of an object with fields is a line, the first of which say how it went', () => {
    expect(textOf({ code: 'NO_CITY', message: 'There is none.', status: 'error', tried: { names: 2 } })).toBe(
      'status: error, code: NO_CITY, message: There is none.\nnames: 2',
    );
  });

  test('that something is still running is a wait', () => {
    for (const text of [
      'Process running with session ID 4',
      '{"status": "pending"}',
      'The build is still running',
      'pod/a 0/1 ContainerCreating',
      'STATUS: IN_PROGRESS',
    ])
      expect(isWaiting(text), text).toBe(true);
    for (const text of [
      'running 12 tests\ntest a ... ok',
      'Process exited with code 0',
      'done',
      'Package software-properties-common is not available',
    ])
      expect(isWaiting(text), text).toBe(false);
  });

  test('a long text is a wait where one of its ends says so, and not for what it is about', () => {
    const file = Array.from({ length: 40 }, (_, k) => `${k}  const item${k} = queue.take(${k});`).join('\n');
    expect(isWaiting(`Process running with session ID 4\n${file}`)).toBe(true);
    expect(isWaiting(`${file}\nThe build is still running`)).toBe(true);
    expect(isWaiting(`${file}\nconst pending = [];\n${file}`)).toBe(false);
    const order = {
      id: '#W1',
      items: Array.from({ length: 9 }, (_, k) => ({ id: k, name: 'wristwatch', price: 20 + k })),
    };
    expect(isWaiting(JSON.stringify({ ...order, status: 'pending', payments: order.items }))).toBe(false);
  });
});

describe('what names its parts anew', () => {
  const masked = (text: string) => outcomeOf(text).masked;

  test.each([
    ['- button "Pay" [ref=e12]', '- button "Pay" [ref=e97]'],
    ['uid=1_23 button "Pay"', 'uid=4_57 button "Pay"'],
    ['mailer-x2 0/1 CrashLoopBackOff 4 (21s ago) 6m', 'mailer-x2 0/1 CrashLoopBackOff 4 (38s ago) 9m'],
  ])('%s is the same as %s', (one, other) => {
    expect(masked(one)).toBe(masked(other));
  });

  test.each([
    ['- button "Pay" [ref=e12]', '- button "Paid" [ref=e12]'],
    ['a value1', 'a value2'],
    ['6 m of wire', '9 m of wire'],
  ])('%s is another than %s', (one, other) => {
    expect(masked(one)).not.toBe(masked(other));
  });
});
