import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bin, run, runLoopfuse } from '../../../testing/run-loopfuse.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-export-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { HOME: folder };
const secret = 'sk-live-0123456789abcdefghij';

const log = join(folder, 'log.jsonl');
const lines: object[] = [
  { loopfuse: 1, session: 'private', agent: 'toy', project: '/home/jane/shop' },
  { type: 'prompt', text: 'I am jane@example.org' },
  { type: 'text', text: `the key is ${secret.slice(0, 9)}` },
  { type: 'text', text: secret.slice(9) },
];
for (let k = 0; k < 6; k++)
  lines.push(
    { type: 'tool-call', id: `c${k}`, tool: 'bash', input: { command: `curl -H "X: ${secret}" /home/jane/x` } },
    { type: 'tool-result', id: `c${k}`, output: 'curl: (6) Could not resolve host', failed: true },
  );
writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

test('an exported session is a trace without secrets, in which the same loop is seen', async () => {
  const { code, stdout, stderr } = await runLoopfuse(['export', log], { env });
  expect(code).toBe(0);
  for (const part of ['jane', secret, secret.slice(9)]) expect(stdout).not.toContain(part);
  expect(stdout).toContain('the key is [secret-1]');
  expect(stderr).toMatch(/^Masked 1 secret, 1 e-mail address and 1 home folder\./);
  const copy = join(folder, 'copy.jsonl');
  writeFileSync(copy, stdout);
  const findings = async (file: string) => {
    const { findings: found } = JSON.parse((await runLoopfuse(['scan', '--json', file], { env })).stdout) as {
      findings: { kind: string; waste: { calls: number } }[];
    };
    return found.map(({ kind, waste }) => [kind, waste.calls]);
  };
  expect(await findings(log)).not.toEqual([]);
  expect(await findings(copy)).toEqual(await findings(log));
});

test('--output writes a file for its owner, and never over another', async () => {
  const file = join(folder, 'out.jsonl');
  expect(await runLoopfuse(['export', 'private', log, '-o', file], { env })).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"loopfuse":1,"session":"private"/);
  const again = await runLoopfuse(['export', 'private', log, '-o', file], { env });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('the file exists') });
});

test.skipIf(process.platform === 'win32')('a disk that is full leaves no part of a trace', async () => {
  const long = join(folder, 'long.jsonl');
  const texts = Array.from({ length: 400 }, (_, k) => JSON.stringify({ type: 'text', text: `Sentence ${k} of many.` }));
  writeFileSync(long, [JSON.stringify(lines[0]), ...texts, ''].join('\n'));
  const file = join(folder, 'full.jsonl');
  const command = [process.execPath, bin, 'export', '--no-cache', long, '-o', file];
  const ended = await run('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', ...command], { env });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') });
  expect(existsSync(file)).toBe(false);
});
