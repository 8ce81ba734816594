import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
