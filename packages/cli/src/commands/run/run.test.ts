import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { innocent, loopsForever, type ModelServer, recoversAfterSteer, startModelServer } from '@loopfuse/model-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bin, cleanEnv, runLoopfuse } from '../../../testing/run-loopfuse.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-run-test-'));
const agent = join(folder, 'agent.mjs');
const report = join(folder, 'report.json');
let server: ModelServer;

/** A small agent in a process of its own: sends results back until the model calls nothing; ends with 5 when refused. */
const source = `
const base = process.env.OPENAI_BASE_URL;
const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } } }];
const messages = [{ role: 'user', content: 'What does main do?' }];
for (let k = 0; k < 20; k++) {
  const response = await fetch(base + '/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'm', messages, tools }) });
  if (response.status !== 200) process.exit(5);
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (!message.tool_calls) process.exit(Number(process.argv[2] ?? 0));
  for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'result ' + (process.argv[3] ? k : '') });
}
`;

beforeAll(async () => {
  writeFileSync(agent, source);
  server = await startModelServer({ script: innocent() });
});
afterEach(() => rmSync(report, { force: true }));
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  const env = { HOME: folder, OPENAI_BASE_URL: `${server.url}/v1` };
  return runLoopfuse(['run', '--json', report, ...args], { env });
}

describe('loopfuse run', () => {
  it('ends a run that loops with 86, a sentence and a report', async () => {
    server.setScript(loopsForever());
    const { code, stderr } = await run('--', process.execPath, agent);
    expect(code).toBe(86);
    expect(stderr).toMatch(/1 loop in \d+ requests: told the model once, refused 1 call, ended the run/);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ version: 1, ended: 'loop', exitCode: 86 });
  });

  it('ends with the exit code of an agent that leaves something which cannot be put into its own folder', async () => {
    const pi = join(folder, 'pi');
    writeFileSync(pi, '#!/bin/sh\nmkfifo "$PI_CODING_AGENT_DIR/pipe"\nexit 7\n', { mode: 0o700 });
    const { code, stderr } = await run('--', pi);
    expect(code).toBe(7);
    const [, left] = /what the program has written is left in (.+?): /.exec(stderr) ?? [];
    expect(left).toContain('loopfuse-run-');
    rmSync(left!, { recursive: true });
  });

  it.skipIf(!existsSync('/dev/full'))('leaves the exit code of the agent alone where nothing can be said', async () => {
    server.setScript(innocent());
    const env = { ...cleanEnv, HOME: folder, OPENAI_BASE_URL: `${server.url}/v1` };
    const command = `"${process.execPath}" "${bin}" run -- "${process.execPath}" "${agent}" 7 2>/dev/full`;
    const child = spawn('sh', ['-c', command], { env, stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('leaves the exit code of the agent alone when it listens', async () => {
    server.setScript(recoversAfterSteer());
    const { code } = await run('--', process.execPath, agent, '7');
    expect(code).toBe(7);
    const { ended, actions } = JSON.parse(readFileSync(report, 'utf8'));
    expect(ended).toBe('agent');
    expect(actions.length).toBeGreaterThan(0);
  });

  it('lets an agent behind a proxy reach the gateway past it', async () => {
    const shown = async (env: Record<string, string>) => {
      const script = 'process.exitCode = process.env.NO_PROXY === process.argv[1] ? 0 : 9';
      const hosts = env.no_proxy === undefined ? '127.0.0.1,localhost' : `${env.no_proxy},127.0.0.1,localhost`;
      const args = ['run', '--quiet', '--', process.execPath, '-e', script, hosts];
      return (await runLoopfuse(args, { env: { HOME: folder, ...env } })).code;
    };
    expect(await shown({ HTTPS_PROXY: 'http://proxy.example:3128' })).toBe(0);
    expect(await shown({ http_proxy: 'http://proxy.example:3128', no_proxy: 'a.example' })).toBe(0);
    expect(await shown({})).toBe(9);
  });

  it('says that a base URL is none, before anything is started', async () => {
    const args = ['run', '--', process.execPath, '-e', ''];
    const { code, stderr } = await runLoopfuse(args, { env: { HOME: folder, OPENAI_BASE_URL: 'nonsense' } });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/must be an address such as .*, got "nonsense"/)]);
  });

  it('says that there were no loops', async () => {
    server.setScript(innocent());
    const { code, stderr } = await run('--', process.execPath, agent, '0', 'varied');
    expect(code).toBe(0);
    expect(stderr).toMatch(/no loops in \d+ requests/);
  });

  it('only watches in shadow, and records what it saw', async () => {
    server.setScript(loopsForever({ rounds: 8 }));
    const trace = join(folder, 'trace.jsonl');
    const { code, stderr } = await run('--on-loop', 'shadow', '--trace', trace, '--', process.execPath, agent);
    expect(code).toBe(0);
    expect(stderr).toMatch(/only watched/);
    const scanned = await runLoopfuse(['scan', trace, '--fail-on-loop'], { env: { HOME: folder } });
    expect(scanned.code).toBe(3);
  });

  it('says before the agent starts that a report or a trace has no place', async () => {
    const started = join(folder, 'started');
    const env = { HOME: folder };
    const touch = ['--', process.execPath, '-e', `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`];
    for (const flag of ['--json', '--trace'])
      for (const place of [join(folder, 'nowhere', 'file'), join(agent, 'file'), folder]) {
        const { code, stderr } = await runLoopfuse(['run', flag, place, ...touch], { env });
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(`^error: run: ${flag}: ".+`) });
      }
    expect(existsSync(started)).toBe(false);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that there was no room for report and trace, and ends as the agent',
    async () => {
      server.setScript(innocent());
      const env = { HOME: folder, OPENAI_BASE_URL: `${server.url}/v1` };
      const full = ['--json', '/dev/full', '--trace', '/dev/full'];
      const { code, stderr } = await runLoopfuse(['run', ...full, '--', process.execPath, agent, '7'], { env });
      expect(code).toBe(7);
      expect(stderr).toMatch(/^error: run: the report was not written: ENOSPC/m);
      expect(stderr).toMatch(/^error: run: the trace is not complete: ENOSPC/m);
      expect(stderr).toMatch(/no loops in \d+ requests/);
    },
  );

  it('passes on how a program ends, and says when there is none', async () => {
    expect((await run('--', 'sh', '-c', 'exit 41')).code).toBe(41);
    expect((await run('--', 'sh', '-c', 'kill -9 $$')).code).toBe(137);
    const missing = await run('--', 'no-such-program-anywhere');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/could not be started \(ENOENT\)/);
    expect(existsSync(`${report}.part`)).toBe(false);
  });
});
