import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { runLoopfuse } from '../../../testing/run-loopfuse.js';
import { exitCodeOf } from './outcome.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-outcome-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, lines: readonly object[]): string {
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return join(folder, name);
}

/** A session that reads so many files, or one again and again. */
function session(id: string, calls: number, pathOf: (call: number) => string): object[] {
  const head = [
    { loopfuse: 1, session: id, agent: 'toy' },
    { type: 'prompt', text: 'Go on.' },
  ];
  const steps = Array.from({ length: calls }, (_, k) => [
    { type: 'tool-call', id: `c${k}`, tool: 'read_file', input: { path: pathOf(k) } },
    { type: 'tool-result', id: `c${k}`, output: `There is no file ${pathOf(k)}`, failed: pathOf(0) === pathOf(1) },
  ]);
  return [...head, ...steps.flat()];
}

test.each([
  [0, {}],
  [0, { loops: 1 }],
  [1, { isUnwritten: true }],
  [3, { loops: 1, failOnLoop: true }],
  [3, { loops: 1, failOnLoop: true, isUnwritten: true }],
  [2, { problem: 'nothing to look at', isUnwritten: true }],
  [130, { isInterrupted: true, loops: 1, failOnLoop: true, isUnwritten: true }],
])('a scan ends with %i where it went like this: %j', (code, outcome) => {
  expect(exitCodeOf({ loops: 0, failOnLoop: false, ...outcome })).toBe(code);
});

test.each([[], ['--json']])(
  '--fail-on-loop counts what counts in the end: a longer copy may have no loop %s',
  async (...more) => {
    const id = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
    const short = file(
      'a.jsonl',
      session(id, 8, () => 'a.ts'),
    );
    const long = file(
      'b.jsonl',
      session(id, 12, (call) => `${call}.ts`),
    );
    const gate = async (...paths: string[]) =>
      (await runLoopfuse(['scan', '--no-cache', '-f', ...more, ...paths])).code;
    expect([await gate(short), await gate(long), await gate(short, long)]).toEqual([3, 0, 0]);
  },
);

test('a gate does not pass where a line was too long to be read, and says so in its last line', async () => {
  const [head, ...rest] = session('long-line', 3, (call) => `${call}.ts`);
  const path = file('long.jsonl', [head!, { type: 'text', text: 'x'.repeat(65 * 2 ** 20) }, ...rest]);
  const { code, stdout, stderr } = await runLoopfuse(['scan', '--no-cache', '-f', path]);
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: expect.stringMatching(
      /^No loops in 1 session\..*1 file or folder could not be read, or only in part\.\n$/s,
    ),
  });
  expect(stderr).toContain(`${path}:2: the line has 68,157,465 bytes, more than 67,108,864; it was skipped\n`);
  expect(stderr).toMatch(
    /error: --fail-on-loop: 1 file or folder could not be read, or only in part, .*long\.jsonl\n$/,
  );
});

test('broken lines do not keep a gate from passing, and do not hide that the rest of a file was not read', async () => {
  const clean = session('broken', 3, (call) => `${call}.ts`);
  const broken = (count: number) =>
    `${readFileSync(file('whole.jsonl', clean), 'utf8')}${'{"type":\n'.repeat(count)}{}\n`;
  const hurt = join(folder, 'hurt.jsonl');
  writeFileSync(hurt, broken(3));
  expect(await runLoopfuse(['scan', '--no-cache', '-f', hurt])).toMatchObject({ code: 0 });
  const packed = gzipSync(broken(50), { level: 0 });
  writeFileSync(`${hurt}.gz`, packed.subarray(0, packed.length - 12));
  expect(await runLoopfuse(['scan', '--no-cache', '-f', `${hurt}.gz`])).toMatchObject({ code: 2 });
});

test('a document that stops being JSON was not read to its end', async () => {
  const messages = Array.from({ length: 3000 }, (_, k) => ({
    role: 'user',
    content: `Question ${k} ${'?'.repeat(60)}`,
  }));
  const path = join(folder, 'document.json');
  writeFileSync(path, JSON.stringify({ messages }).replace(/"Question 2000.*/s, '] oops'));
  const { code, stderr } = await runLoopfuse(['scan', '--no-cache', '-f', path]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('the document is not valid JSON from line 1 on'),
  });
});
