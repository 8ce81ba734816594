import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { loopsForever, type Script, say } from '../../../testkit/src/model-server/index.js';
import { loadSession } from '../session/session-file.js';
import { freshFolder } from '../testing/folders.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';

const read = (path: string) => ({ call: { tool: 'read_file', input: { path } } });

describe('a session that is resumed', () => {
  test('continues where it was: history, usage, request', async () => {
    const { client, sessionFile, another } = await scriptedAgent(() => say('Hello.'));
    await collect(client.sendMessageStream('one'));
    const resumed = another({ session: await loadSession(sessionFile) });
    expect([resumed.sessionId, resumed.history, resumed.usage]).toEqual([
      client.sessionId,
      client.history,
      client.usage,
    ]);
    await collect(resumed.sendMessageStream('two'));
    expect(resumed.history.filter(({ role }) => role === 'user').length).toBe(2);
    const saved = await loadSession(sessionFile);
    expect(saved.createdAt).toBe(client.session().createdAt);
  });

  test('continues with the state of the guard: earlier repetitions count', async () => {
    const twice: Script = ({ turn }) =>
      turn < 2 ? { parts: [read('README.md')] } : { fault: { type: 'refuse', status: 401 } };
    const { client, server, sessionFile, another } = await scriptedAgent(twice);
    expect((await collect(client.sendMessageStream('go', undefined, 'p'))).at(-1)?.type).toBe('error');
    server.setScript(loopsForever());
    const events = await collect(another({ session: await loadSession(sessionFile) }).continue());
    const told = events.findIndex(({ type }) => type === 'loop-steered');
    expect(eventsOf(events.slice(0, told), 'tool-call-request').length).toBe(1);
  });

  test('that was halted is still halted, with everything to show and decide', async () => {
    const { client, sessionFile, another } = await scriptedAgent(loopsForever());
    await collect(client.sendMessageStream('go', undefined, 'p'));
    const resumed = another({ session: await loadSession(sessionFile) });
    expect(resumed.halted).toEqual(JSON.parse(JSON.stringify(client.halted)));
    expect(resumed.guard.circuit.state).toBe('open');
    resumed.release({ type: 'disable' });
    expect(resumed.guard.disabled).toBe(true);
  });

  test('exemptions and "off" are remembered', async () => {
    const { client, sessionFile, another } = await scriptedAgent(loopsForever({ rounds: 14 }));
    await collect(client.sendMessageStream('go'));
    client.release({ type: 'exempt', tool: 'read_file' });
    await client.save();
    const events = await collect(another({ session: await loadSession(sessionFile) }).continue());
    expect(events.filter(({ type }) => type.startsWith('loop'))).toEqual([]);
  });
});

describe('kill -9', () => {
  test('of a working agent leaves a session that another one can continue', async () => {
    const folder = freshFolder();
    const program = join(folder, 'worker.mjs');
    await build({
      stdin: { contents: worker, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['loopfuse-source'],
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outfile: program,
      logLevel: 'error',
    });
    for (const turns of [2, 5]) {
      let n = 0;
      const agent = await scriptedAgent(() => ({
        parts: [{ text: 'Next.' }, read(`file-${n++}.txt`), { call: { tool: 'ls', input: {} } }],
      }));
      const child: ChildProcess = spawn(
        process.execPath,
        [program, `${agent.server.url}/v1`, agent.root, agent.sessionFile],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
      const exited = new Promise((resolve) => child.once('exit', resolve));
      while (agent.server.seen < turns || !existsSync(agent.sessionFile)) await wait(5);
      child.kill('SIGKILL');
      await exited;
      const session = await loadSession(agent.sessionFile);
      expect(session.history.length).toBeGreaterThan(1);
      agent.server.setScript(() => say('Done.'));
      const events = await collect(agent.another({ session }).continue());
      expect(events.at(-1)?.type).toBe('finished');
      expect(agent.server.requests.some(({ problem }) => problem !== undefined)).toBe(false);
    }
  });
});

const worker = `
  import { createClient } from './client.ts';
  import { createModel } from '../model/create-model.ts';
  const [, , baseURL, root, sessionFile] = process.argv as string[];
  const { model } = createModel({ provider: 'openai-compatible', model: 'local', baseURL }, {});
  const client = createClient({ model, root: root!, sessionFile: sessionFile!, approval: 'yolo', disableDetection: true });
  for await (const event of client.sendMessageStream('go')) void event;
`;
