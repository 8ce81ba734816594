import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run, runLoopfuse } from '../../../testing/run-loopfuse.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Tokens are what the model server counted: they go with the prompts, which are not what is tested here. */
function withoutTokens(text: string): string {
  return text.replace(/[\d.,]+k?(?= tokens)/g, 'N').replace(/\d+(?= % saved)/, 'N');
}

test.each([
  ['live-100', {}],
  ['live-80', { COLUMNS: '80' }],
  ['live-ascii-60', { COLUMNS: '60', LC_ALL: 'C' }],
])('the real agent is caught, recovers, and is stopped: %s', async (name, env) => {
  const { code, stdout, stderr } = await runLoopfuse(['demo'], { cwd: root, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('\u001b');
  await expect(withoutTokens(stdout)).toMatchFileSnapshot(`golden/${name}.txt`);
});

test.each([
  ['demo-100', {}],
  ['demo-80', { COLUMNS: '80' }],
  ['demo-ascii-60', { COLUMNS: '60', LC_ALL: 'C' }],
])('the recording plays as it did: %s', async (name, env) => {
  const { code, stdout, stderr } = await runLoopfuse(['demo', '--recorded'], { cwd: root, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('it fits on a screen: at most 45 lines of 80 columns', async () => {
  const { stdout } = await runLoopfuse(['demo', '--fast'], {
    cwd: root,
    env: { COLUMNS: '80', npm_lifecycle_event: 'start' },
  });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
});

test('what it saves is what a real run without the guard has used', async () => {
  const { stdout } = await runLoopfuse(['demo'], { cwd: root });
  const [, guarded, alone] = /after (\d+) calls[\s\S]*limit: (\d+) calls/
    .exec(stdout.replace(/\s+/g, ' '))!
    .map(Number);
  expect(guarded).toBeLessThan(8);
  expect(alone).toBe(40);
});

test('without UTF-8 it is plain ASCII', async () => {
  const { stdout } = await runLoopfuse(['demo'], { env: { LC_ALL: 'C' } });
  expect(stdout).toMatch(/^[\n\u0020-\u007e]*$/);
});

test('the commands it ends with work', async () => {
  const { stdout } = await runLoopfuse(['demo', '--recorded'], { cwd: root });
  const commands = [...stdout.slice(stdout.indexOf('Try next')).matchAll(/^ {2}(node .+?)(?: {2}.*)?$/gm)].map(
    ([, line]) => line!,
  );
  expect(commands.length).toBeGreaterThanOrEqual(2);
  for (const command of commands) expect(await run('bash', ['-c', command], { cwd: root })).toMatchObject({ code: 0 });
});

test('the recording holds nothing but a session and its events', () => {
  const lines = readFileSync(new URL('../../../demo/stuck-edit.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({ loopfuse: 1, session: 'invoice-rounding' });
  expect(lines.slice(1).every((line) => 'type' in JSON.parse(line))).toBe(true);
});
