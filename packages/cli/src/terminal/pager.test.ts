import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeTerminal } from '../../testing/terminal.js';
import { run } from '../run.js';
import type { Shell } from '../shell.js';
import { paged } from './pager.js';

const long = Array.from({ length: 30 }, (_, k) => `line ${k}\n`).join('');

/** What the screen and the pager show of a text on a terminal of 24 lines. */
async function shown(text: string, env: NodeJS.ProcessEnv, { isInteractive = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-pager-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'paged');
  const out = fakeTerminal({ isInteractive });
  const shell: Shell = {
    out,
    err: fakeTerminal(),
    env: { PATH: process.env.PATH, FILE: file, ...env },
    streams: { stdin: process.stdin, stdout: { rows: 24 } as NodeJS.WriteStream, stderr: process.stderr },
    command: 'loopfuse',
    exitCode: 0,
  };
  await paged(shell, async (inner) => {
    await inner.out.write(text);
    inner.exitCode = 3;
  });
  expect(shell.exitCode).toBe(3);
  return { screen: out.written, pager: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

const pager = 'cat > "$FILE"';

test('a long report is shown in the pager, which colours are left to', async () => {
  expect(await shown(long, { PAGER: pager })).toEqual({ screen: '', pager: long });
  expect(await shown(long, { PAGER: 'false', LOOPFUSE_PAGER: pager })).toEqual({ screen: '', pager: long });
  expect((await shown(long, { PAGER: 'echo "$LESS" > "$FILE"' })).pager).toBe('FRX\n');
  expect((await shown(long, { PAGER: 'echo "$LESS" > "$FILE"', LESS: 'S' })).pager).toBe('S\n');
});

test('a short one is printed', async () => {
  expect(await shown('one line\n', { PAGER: pager })).toEqual({ screen: 'one line\n', pager: undefined });
});

test.each([
  ['in a pipe', {}, { isInteractive: false }],
  ['in CI', { CI: 'true' }, {}],
  ['on a terminal that can do nothing', { TERM: 'dumb' }, {}],
  ['where the pager is cat', { LOOPFUSE_PAGER: 'cat' }, {}],
  ['where there is to be none', { LOOPFUSE_PAGER: '' }, {}],
])('%s a long one is printed, too', async (_, env, terminal) => {
  expect(await shown(long, { PAGER: pager, ...env }, terminal)).toEqual({ screen: long, pager: undefined });
});

test('scan show --no-pager prints what does not fit, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-pager-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = Array.from({ length: 30 }, (_, k) => `{"type":"text","text":"line ${k}"}\n`);
  const file = join(folder, 'long.jsonl');
  writeFileSync(file, `{"loopfuse":1,"session":"long"}\n{"type":"prompt"}\n${lines.join('')}`);
  const out = fakeTerminal({ isInteractive: true });
  const { stdin, stderr } = process;
  const streams = { stdin, stderr, stdout: { rows: 24 } as NodeJS.WriteStream };
  const env = { PATH: process.env.PATH, PAGER: 'cat > /dev/null' };
  const shell: Shell = { out, err: fakeTerminal(), env, streams, command: 'loopfuse', exitCode: 0 };
  await run(['scan', '--no-cache', 'show', file, '--all', '--no-pager'], shell);
  expect(out.written).toContain('line 29');
});

test.each([{ PAGER: 'no-such-pager-anywhere 2> /dev/null' }, { PATH: '/nowhere' }])(
  'where the pager is missing (%j) it is printed',
  async (env) => {
    expect((await shown(long, env)).screen).toBe(long);
  },
);

test('a pager that is left before the end is no error', async () => {
  const much = 'a line\n'.repeat(200_000);
  expect(await shown(much, { PAGER: 'head -1 > "$FILE"' })).toEqual({ screen: '', pager: 'a line\n' });
});

test('what was printed before an error is shown', async () => {
  const out = fakeTerminal({ isInteractive: true });
  const { stdin, stderr } = process;
  const streams = { stdin, stderr, stdout: { rows: 24 } as NodeJS.WriteStream };
  const shell: Shell = { out, err: fakeTerminal(), env: {}, streams, command: 'loopfuse', exitCode: 0 };
  const failing = paged(shell, async (inner) => {
    await inner.out.write('half\n');
    throw new Error('the disk is gone');
  });
  await expect(failing).rejects.toThrow('the disk is gone');
  expect(out.written).toBe('half\n');
});
