import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { scriptedWorkplace, type Workplace } from '../../../../testing/scripted-workplace.js';
import { fakeTerminal } from '../../../../testing/terminal.js';
import type { Choice, KnownBefore } from './first-run.js';
import { openOrAsk } from './open-or-ask.js';

const key = 'sk-typed-by-hand-0123456789';

function opening(place: Workplace, choice: Choice | undefined, env: NodeJS.ProcessEnv = {}, flags = {}) {
  const { stdin, stdout, stderr } = process;
  const out = fakeTerminal();
  const shell = {
    ...{ out, err: out, streams: { stdin, stdout, stderr }, command: 'loopfuse', exitCode: 0 },
    env: { HOME: place.home, PATH: process.env.PATH, ...env },
  };
  const asked: KnownBefore[] = [];
  const opened = openOrAsk({ loopDetection: true, cwd: place.root, ...flags }, shell, async (known) => {
    asked.push(known);
    return choice;
  });
  return { opened, asked };
}

test('missing settings are asked for, and the chat begins; the key is sent, and not written to any file', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  mkdirSync(place.home, { recursive: true });
  const choice = { provider: 'openai', model: 'm', key, save: true } as const;
  const { opened, asked } = opening(place, choice, { OPENAI_BASE_URL: `${place.server.url}/v1` });
  const { agent, notes } = await opened;
  expect(asked).toHaveLength(1);
  expect(agent.model).toMatchObject({ provider: 'openai', name: 'm' });
  const client = agent.open({});
  for await (const event of client.sendMessageStream(`My key is ${key}.`)) expect(event.type).not.toBe('error');
  expect(place.server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}` });
  expect(JSON.stringify(notes)).toMatch(/saved in .*settings\.json.*this run only. Set OPENAI_API_KEY/);
  const files = readdirSync(place.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(1); // settings and the session
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(key);
  const settings = JSON.parse(readFileSync(join(place.home, '.loopfuse', 'settings.json'), 'utf8'));
  expect(settings).toEqual({ provider: 'openai', model: 'm' });
});

test('the variable that the settings name for the key is the one to set', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  mkdirSync(join(place.home, '.loopfuse'), { recursive: true });
  const settings = { provider: 'openai', model: 'm', baseURL: `${place.server.url}/v1`, apiKeyEnv: 'OWN_KEY' };
  writeFileSync(join(place.home, '.loopfuse', 'settings.json'), JSON.stringify(settings));
  const { notes } = await opening(place, { provider: 'openai', model: 'm', key, save: false }).opened;
  expect(JSON.stringify(notes)).toContain('Set OWN_KEY to keep it');
});

test('nothing is saved where that is not wanted', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const choice = { provider: 'openai-compatible', model: 'm', baseURL: `${place.server.url}/v1`, save: false } as const;
  const { agent, notes } = await opening(place, choice).opened;
  expect([agent.model.address, notes]).toEqual([`${place.server.url}/v1`, []]);
  expect(existsSync(join(place.home, '.loopfuse', 'settings.json'))).toBe(false);
});

test('who leaves gets the words that say how to set it', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  await expect(opening(place, undefined).opened).rejects.toThrow(/^No provider is set/);
});

test('where all is set, or something set is wrong, nothing is asked', async () => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const set = opening(place, undefined, { ANTHROPIC_API_KEY: 'k' }, { model: 'claude-x' });
  expect((await set.opened).agent.model.name).toBe('claude-x');
  const wrong = opening(place, undefined, { LOOPFUSE_PROVIDER: 'acme' });
  await expect(wrong.opened).rejects.toThrow(/"acme"/);
  expect([...set.asked, ...wrong.asked]).toEqual([]);
});

test.each<[NodeJS.ProcessEnv, object, Partial<KnownBefore>]>([
  [{ ANTHROPIC_API_KEY: 'k' }, {}, { provider: undefined, likely: 'anthropic', model: undefined }],
  [{}, { model: 'gpt-x' }, { provider: 'openai', model: 'gpt-x' }],
  [{}, { provider: 'google' }, { provider: 'google', model: undefined }],
  [{ LOOPFUSE_BASE_URL: 'http://a/v1' }, {}, { provider: 'openai-compatible', baseURL: 'http://a/v1' }],
])('with %j and %j it is known before that %j', async (env, flags, known) => {
  const place = await scriptedWorkplace(() => say('Hi.'));
  const { opened, asked } = opening(place, undefined, env, flags);
  await expect(opened).rejects.toThrow();
  expect(asked).toMatchObject([known]);
});
