import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { bin, runLoopfuse } from '../../../testing/run-loopfuse.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-ci-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));
const env = { XDG_CACHE_HOME: join(folder, 'cache') };

test('--sarif and --summary write the loops for a code host, and the gate still closes', async () => {
  const sarif = join(folder, 'loops.sarif');
  const summary = join(folder, 'summary.md');
  const args = ['scan', '-f', '--sarif', sarif, '--summary', summary, 'mixed.jsonl'];
  expect(await runLoopfuse(args, { cwd: fixtures, env })).toMatchObject({ code: 3 });
  const { version, runs } = JSON.parse(readFileSync(sarif, 'utf8'));
  expect(version).toBe('2.1.0');
  expect(runs[0].results).toHaveLength(3);
  expect(runs[0].invocations).toEqual([{ executionSuccessful: true }]);
  for (const { ruleId, locations } of runs[0].results) {
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toContain(ruleId);
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe('mixed.jsonl');
  }
  const text = readFileSync(summary, 'utf8');
  expect(text).toContain('### Loopfuse: 3 loops in 4 sessions');
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(5);
});

test('a secret that a loop holds is masked in what a code host shows', async () => {
  const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
  const command = `curl -H 'Authorization: Bearer ${token}' https://a.example`;
  const lines: object[] = [
    { loopfuse: 1, session: 'secret', agent: 'toy' },
    { type: 'prompt', text: 'Go on.' },
  ];
  for (let k = 0; k < 12; k++) {
    lines.push({ type: 'tool-call', id: `c${k}`, tool: 'Bash', input: { command } });
    lines.push({ type: 'tool-result', id: `c${k}`, output: `curl: (6) no host, ${token}`, failed: true });
  }
  const log = join(folder, 'secret.jsonl');
  writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const outputs = [join(folder, 'secret.sarif'), join(folder, 'secret.md')] as const;
  const { stdout } = await runLoopfuse(['scan', '--sarif', outputs[0], '--summary', outputs[1], log], { env });
  expect(stdout).toContain('ghp_'); // the person's own terminal
  for (const output of outputs) {
    expect(readFileSync(output, 'utf8')).toContain('secret');
    expect(readFileSync(output, 'utf8')).not.toContain('a1B2c3D4');
  }
});

test('what could not be read is named in every output, and a gate does not pass for it', async () => {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const lines = readFileSync(join(fixtures, 'mixed.jsonl'), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.includes('"tidy-work"'));
  const to = lines.findIndex((line, k) => k > from && line.includes('"loopfuse":'));
  writeFileSync(join(logs, 'clean.jsonl'), lines.slice(from, to < 0 ? undefined : to).join('\n'));
  const packed = join(logs, 'packed.jsonl.xz');
  writeFileSync(packed, Buffer.from('fd377a585a00000412', 'hex'));
  const [html, sarif, summary] = ['gaps.html', 'gaps.sarif', 'gaps.md'].map((name) => join(folder, name)) as string[];
  const hasPage = existsSync(new URL('../../../../dashboard/dist/page.html', import.meta.url));
  const outputs = ['--sarif', sarif!, '--summary', summary!, ...(hasPage ? ['--html', html!] : [])];
  const gate = await runLoopfuse(['scan', '-f', ...outputs, logs], { env });
  expect(gate).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('1 file or folder could not be read, or only in part.\n'),
    stderr: expect.stringMatching(/error: --fail-on-loop: 1 file or folder could not be read, .*packed\.jsonl\.xz\n/),
  });
  const why = 'it is packed with xz, which is not supported';
  const [{ results, invocations }] = JSON.parse(readFileSync(sarif!, 'utf8')).runs;
  expect(results).toEqual([]);
  expect(invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', message: { text: expect.stringContaining(why) } }],
    },
  ]);
  expect(readFileSync(summary!, 'utf8')).toMatch(
    /no loops in 1 session\n\n1 file or folder .*:\n\n- .*packed.*xz: it could/,
  );
  if (hasPage)
    expect(readFileSync(html!, 'utf8')).toMatch(/"unread":\{"count":1,"first":\[\{"file":"[^"]*packed\.jsonl\.xz"/);
  copyFileSync(join(logs, 'clean.jsonl'), packed);
  expect(await runLoopfuse(['scan', '-f', logs], { env })).toMatchObject({ code: 0 });
});

test('an output that cannot be written is named, and costs none of the others', async () => {
  const summary = join(folder, 'beside-a-fault.md');
  const sarif = join(folder, 'no-such-folder', 'a.sarif');
  const args = ['scan', '--sarif', sarif, '--summary', summary, 'mixed.jsonl'];
  const { code, stdout, stderr } = await runLoopfuse(args, { cwd: fixtures, env });
  expect(code).toBe(1);
  expect(stdout).toContain('3 of 4 sessions loop');
  expect(stderr).toMatch(/error: --sarif: ".*a\.sarif" could not be written: ENOENT/);
  expect(readFileSync(summary, 'utf8')).toContain('3 loops in 4 sessions');
  const gate = await runLoopfuse([...args, '-f'], { cwd: fixtures, env });
  expect(gate.code).toBe(3); // that something loops is still the answer
});

test('the action’s own steps work as it writes them', async () => {
  const action = readFileSync(fileURLToPath(new URL('../../../../../action.yml', import.meta.url)), 'utf8');
  const [, script = ''] = /run: \|\n((?: {8}.*\n)+)/.exec(action) ?? [];
  expect(script).toContain('--fail-on-loop');
  const summary = join(folder, 'step.md');
  const variables = {
    ...{ LOOPFUSE_PATHS: 'mixed.jsonl\n', LOOPFUSE_FAIL: 'false', LOOPFUSE_SARIF: join(folder, 'step.sarif') },
    ...{ LOOPFUSE_PRESET: 'balanced', LOOPFUSE_COMMAND: `node ${bin}`, GITHUB_STEP_SUMMARY: summary },
  };
  const perform = (changed: Partial<typeof variables> = {}) =>
    execFileSync('bash', ['-e', '-c', script.replace(/^ {8}/gm, '')], {
      cwd: fixtures,
      env: { ...process.env, ...env, ...variables, ...changed },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  perform();
  expect(readFileSync(summary, 'utf8')).toContain('3 loops in 4 sessions');
  expect(JSON.parse(readFileSync(join(folder, 'step.sarif'), 'utf8')).runs).toHaveLength(1);
  expect(() => perform({ LOOPFUSE_PATHS: 'mixed.jsonl\nnot-there.jsonl' })).toThrow('"not-there.jsonl"');
});
