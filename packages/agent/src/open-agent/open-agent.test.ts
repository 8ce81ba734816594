import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Script, startModelServer, workspaceFiles } from '../../../testkit/src/model-server/index.js';
import type { StoredKeys } from '../model/create-model.js';
import { providerFacts } from '../model/provider-facts.js';
import { sessionFolder } from '../session/session-file.js';
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

function keptFor({ overrides }: OpenAgentOptions): StoredKeys {
  return { OPENAI_API_KEY: { key, addresses: [new URL(overrides?.baseURL ?? '').origin] } };
}

async function withKey(script: Script): Promise<OpenAgentOptions> {
  const options = await place(script);
  return { ...options, keys: keptFor(options) };
}

/** Prints the variable, then says what came out. */
const looksForTheKey: Script = ({ results }) => ({
  parts:
    results.length === 0
      ? [{ call: { tool: 'run_shell_command', input: { command: `echo "the key is [$OPENAI_API_KEY]"` } } }]
      : [{ text: 'Done.' }],
});

test('a stored key reaches the model, but no tool and no file', async () => {
  const options = await place(looksForTheKey);
  const agent = openAgent({ ...options, keys: keptFor(options) });
  const client = agent.open({});
  const events = await collect(client.sendMessageStream('what is the key?'));
  expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  expect(eventsOf(events, 'tool-call-result')[0]?.output).toContain('the key is []');
  expect(JSON.stringify(contentOf(join(options.home, '.loopfuse')))).not.toContain(key);
});

test('without a key the error names the variable that holds it', async () => {
  const options = await place(looksForTheKey);
  expect(() => openAgent({ ...options, overrides: { provider: 'anthropic', model: 'claude-sonnet-4-5' } })).toThrow(
    SetUpError,
  );
  expect(() => openAgent({ ...options, overrides: { provider: 'anthropic', model: 'claude-sonnet-4-5' } })).toThrow(
    /ANTHROPIC_API_KEY/,
  );
});

test('a session is found by the beginning of its id, and continues in its own file', async () => {
  const options = await withKey(() => ({ parts: [{ text: 'Hello.' }] }));
  const agent = openAgent(options);
  const client = agent.open({});
  await collect(client.sendMessageStream('hello'));
  const kept = await openAgent(options).find(client.sessionId.slice(0, 8));
  await collect(agent.open({}, kept).sendMessageStream('again'));
  expect(kept.file.endsWith(`${client.sessionId}.json`)).toBe(true);
  expect(JSON.parse(readFileSync(kept.file, 'utf8')).history).toHaveLength(4);
  await expect(agent.find('no-such')).rejects.toThrow(/No session is called "no-such".*hello/s);
});

test('the price is that of the list, or the given one', async () => {
  const options = await withKey(looksForTheKey);
  expect(openAgent(options).price).toMatchObject({ input: 1.25, output: 10 });
  const price = { input: 1, output: 2, cached: 0 };
  expect(openAgent({ ...options, price }).price).toBe(price);
});

test('a stored key is sent only to the address that it was stored for', async () => {
  const requests: string[] = [];
  const options = await withKey(() => ({ parts: [{ text: 'Hello.' }] }));
  const other = await startModelServer({
    script: () => {
      requests.push('a request');
      return { parts: [{ text: 'Give me the key.' }] };
    },
  });
  onTestFinished(() => other.close());
  const redirected = { ...options, overrides: { ...options.overrides, baseURL: `${other.url}/v1` } };
  expect(problemOf(() => openAgent(redirected))).toMatchObject({
    type: 'key-address',
    variable: 'OPENAI_API_KEY',
    address: `${other.url}/v1`,
  });
  const { OPENAI_API_KEY: kept } = options.keys!;
  const allowed = { ...kept!, addresses: [...kept!.addresses, other.url] };
  expect(openAgent({ ...redirected, keys: { OPENAI_API_KEY: allowed } }).model.apiKey).toBe(key);
  const refused = { ...kept!, refused: [other.url] };
  expect(problemOf(() => openAgent({ ...redirected, keys: { OPENAI_API_KEY: refused } }))).toMatchObject({
    type: 'key',
  });
  const local = openAgent({
    ...redirected,
    overrides: { ...redirected.overrides, provider: 'openai-compatible' },
    keys: { OPENAI_API_KEY: refused },
  });
  expect(local.model.apiKey).toBeUndefined();
  expect(requests).toEqual([]);
});

test('a name alone means a model of the provider in use, and no provider gets the address or key of another', async () => {
  const options = await place(looksForTheKey);
  const { baseURL } = options.overrides!;
  const env = { ...options.env, OWN_KEY: 'of-openai', ANTHROPIC_API_KEY: 'of-anthropic', GEMINI_API_KEY: 'of-google' };
  const agent = openAgent({ ...options, env, overrides: { ...options.overrides, apiKeyEnv: 'OWN_KEY' } });
  const after = (words: string) => {
    agent.choose(words);
    const { provider, name, address, apiKey } = agent.model;
    return [provider, name, address, apiKey];
  };
  const anthropic = 'https://api.anthropic.com/v1';
  expect(after('gpt-5-mini')).toEqual(['openai', 'gpt-5-mini', baseURL, 'of-openai']);
  expect(after('anthropic claude-a')).toEqual(['anthropic', 'claude-a', anthropic, 'of-anthropic']);
  expect(after('claude-b')).toEqual(['anthropic', 'claude-b', anthropic, 'of-anthropic']);
  expect(after('anthropic claude-c')).toEqual(['anthropic', 'claude-c', anthropic, 'of-anthropic']);
  expect(after('google gemini-a')).toEqual(['google', 'gemini-a', expect.stringContaining('googleapis'), 'of-google']);
  expect(() => agent.choose('openai-compatible local')).toThrow(SetUpError); // it has no address
  expect(agent.model.name).toBe('gemini-a');
  expect(() => agent.choose('gemni pro')).toThrow('There is no provider "gemni"');
  expect(agent.model.name).toBe('gemini-a');
  expect(after('google Gemini of the house').slice(0, 2)).toEqual(['google', 'Gemini of the house']);
  expect(() => agent.choose('openai-compatible')).toThrow('openai-compatible has no default model');
  expect(after('anthropic')).toEqual(['anthropic', providerFacts.anthropic.defaultModel, anthropic, 'of-anthropic']);
  expect(after('openai gpt-5')).toEqual(['openai', 'gpt-5', baseURL, 'of-openai']);
});

test('a provider derived from the name of a model does not get them either', async () => {
  const options = await place(looksForTheKey);
  const env = { ...options.env, OWN_KEY: 'of-openai', ANTHROPIC_API_KEY: 'of-anthropic' };
  const agent = openAgent({ ...options, env, overrides: { model: 'gpt-5', apiKeyEnv: 'OWN_KEY' } });
  agent.choose('claude-a');
  expect(agent.model).toMatchObject({ provider: 'anthropic', apiKey: 'of-anthropic' });
  agent.choose('gpt-5-mini');
  expect(agent.model).toMatchObject({ provider: 'openai', apiKey: 'of-openai' });
});

test('after another provider was chosen, judge and stronger model use the provider of the model in use', async () => {
  const options = await withKey(looksForTheKey);
  const keys = { ...options.keys, ANTHROPIC_API_KEY: { key, addresses: ['https://api.anthropic.com'] } };
  for (const more of [{ judge: { model: 'claude-judge' } }, { escalate: { model: 'claude-strong' } }]) {
    const agent = openAgent({ ...options, keys, overrides: { ...options.overrides, ...more } });
    agent.choose('anthropic claude-a');
    agent.open({}); // at another address the key would be refused
  }
});

test('a stored key is not sent to another address of the judge', async () => {
  const options = await withKey(() => ({ parts: [{ text: 'Hello.' }] }));
  const judge = { model: 'gpt-5', provider: 'openai', baseURL: 'http://127.0.0.1:9/v1' } as const;
  const agent = openAgent({ ...options, overrides: { ...options.overrides, judge } });
  expect(problemOf(() => agent.open({}))).toMatchObject({ type: 'key-address', address: 'http://127.0.0.1:9/v1' });
});

test('what is missing is also reported as data', async () => {
  const options = await place(looksForTheKey);
  const problem = (overrides: OpenAgentOptions['overrides']) =>
    problemOf(() => openAgent({ ...options, overrides: overrides! }))?.type;
  expect(problem({})).toBe('provider');
  expect(problem({ provider: 'openai' })).toBe('model');
  expect(problem({ provider: 'openai', model: 'm' })).toBe('key');
  expect(problem({ provider: 'openai-compatible', model: 'm' })).toBe('address');
  expect(problem({ maxTurns: 0 })).toBe('settings');
});

test('a session that exists but cannot be read is refused with the reason', async () => {
  const options = await place(looksForTheKey);
  const agent = openAgent({ ...options, env: { ...options.env, OPENAI_API_KEY: 'k' } });
  put(sessionFolder(options.home, agent.root), { 'cut-off.json': '{"id":"cut-off"', 'other.json': 'null' });
  await expect(agent.find('cut')).rejects.toThrow(/cut-off\.json cannot be resumed/);
  await expect(agent.find('gone')).rejects.toThrow('There are no sessions of');
  await expect(agent.find(true)).rejects.toThrow(/\.json cannot be resumed/);
});

function problemOf(work: () => unknown): SetUpError['problem'] | undefined {
  try {
    work();
  } catch (cause) {
    expect(cause).toBeInstanceOf(SetUpError);
    return (cause as SetUpError).problem;
  }
  return undefined;
}

test('what a model writes to a cache is part of the usage, now and after a resume', async () => {
  const usage = { inputTokens: 1000, outputTokens: 10, cachedTokens: 300, cacheWriteTokens: 600 };
  const options = await place(() => ({ parts: [{ text: 'Hello.' }], usage }));
  const overrides = { ...options.overrides, provider: 'anthropic', model: 'claude-sonnet-4-5' } as const;
  const agent = openAgent({ ...options, overrides, env: { ...options.env, ANTHROPIC_API_KEY: 'key' } });
  const client = agent.open({});
  await collect(client.sendMessageStream('hello'));
  expect(client.usage).toMatchObject(usage);
  const resumed = agent.open({}, await agent.find(client.sessionId));
  await collect(resumed.sendMessageStream('again'));
  expect(resumed.usage).toMatchObject({ inputTokens: 2000, cachedTokens: 600, cacheWriteTokens: 1200 });
  expect(resumed.history.at(-1)).toMatchObject({ usage });
});
