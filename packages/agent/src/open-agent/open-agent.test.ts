import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Script, startModelServer, workspaceFiles } from '../../../testkit/src/model-server/index.js';
import { contentOf, freshFolder, put } from '../testing/folders.js';
import { collect, eventsOf } from '../testing/scripted-agent.js';
import { type OpenAgentOptions, openAgent } from './open-agent.js';
import { SetUpError } from './set-up-error.js';

const key = 'sk-kept-in-a-safe-place-1234567890';

async function place(script: Script): Promise<OpenAgentOptions> {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const home = freshFolder();
  const cwd = join(home, 'work');
  put(cwd, workspaceFiles);
  return {
    cwd,
    home,
    env: { PATH: process.env.PATH },
    overrides: { provider: 'openai', model: 'gpt-5', baseURL: `${server.url}/v1`, approval: 'yolo' },
  };
}

/** Prints the variable, then says what came out. */
const looksForTheKey: Script = ({ results }) => ({
  parts:
    results.length === 0
      ? [{ call: { tool: 'run_shell_command', input: { command: `echo "the key is [$OPENAI_API_KEY]"` } } }]
      : [{ text: 'Done.' }],
});

test('a key from a safe place reaches the model, and neither a tool nor a file', async () => {
  const options = await place(looksForTheKey);
  const agent = openAgent({ ...options, keys: { OPENAI_API_KEY: key } });
  const client = agent.open({});
  const events = await collect(client.sendMessageStream('what is the key?'));
  expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  expect(eventsOf(events, 'tool-call-result')[0]?.output).toContain('the key is []');
  expect(JSON.stringify(contentOf(join(options.home, '.loopfuse')))).not.toContain(key);
});

test('without a key the person is told which variable wants it', async () => {
  const options = await place(looksForTheKey);
  expect(() => openAgent({ ...options, overrides: { provider: 'anthropic', model: 'claude-sonnet-4-5' } })).toThrow(
    SetUpError,
  );
  expect(() => openAgent({ ...options, overrides: { provider: 'anthropic', model: 'claude-sonnet-4-5' } })).toThrow(
    /ANTHROPIC_API_KEY/,
  );
});

test('a session is found by the beginning of its id, and goes on in its own file', async () => {
  const options = { ...(await place(() => ({ parts: [{ text: 'Hello.' }] }))), keys: { OPENAI_API_KEY: key } };
  const agent = openAgent(options);
  const client = agent.open({});
  await collect(client.sendMessageStream('hello'));
  const kept = await openAgent(options).find(client.sessionId.slice(0, 8));
  await collect(agent.open({}, kept).sendMessageStream('again'));
  expect(kept.file.endsWith(`${client.sessionId}.json`)).toBe(true);
  expect(JSON.parse(readFileSync(kept.file, 'utf8')).history).toHaveLength(4);
  await expect(agent.find('no-such')).rejects.toThrow(/No session is called "no-such".*hello/s);
});

test('the price is the list’s, or what was said', async () => {
  const options = { ...(await place(looksForTheKey)), keys: { OPENAI_API_KEY: key } };
  expect(openAgent(options).price).toMatchObject({ input: 1.25, output: 10 });
  const price = { input: 1, output: 2, cached: 0 };
  expect(openAgent({ ...options, price }).price).toBe(price);
});
