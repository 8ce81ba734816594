import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../testing/folders.js';
import { loadSettings } from './load-settings.js';
import { saveChoice } from './save-settings.js';

test('a choice is readable by its owner only, and is read at the next start', async () => {
  const home = freshFolder();
  const choice = { provider: 'openai-compatible', model: 'm', baseURL: 'http://127.0.0.1:8080/v1' } as const;
  const file = await saveChoice(home, choice);
  expect(loadSettings({ cwd: freshFolder(), home }).settings).toEqual(choice);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('other settings stay; the address and the key of an earlier choice are removed', async () => {
  const home = freshFolder();
  mkdirSync(join(home, '.loopfuse'));
  const address = { baseURL: 'http://127.0.0.1/v1', apiKeyEnv: 'OUR_KEY' };
  const before = { approval: 'auto-edit', unknown: 1, provider: 'openai', model: 'a', ...address };
  writeFileSync(join(home, '.loopfuse', 'settings.json'), JSON.stringify(before));
  const file = await saveChoice(home, { provider: 'google', model: 'b' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    approval: 'auto-edit',
    unknown: 1,
    provider: 'google',
    model: 'b',
  });
});

test.skipIf(process.platform === 'win32')('a file that is a link stays one, and its target is changed', async () => {
  const home = freshFolder();
  const target = join(freshFolder(), 'settings.json');
  mkdirSync(join(home, '.loopfuse'));
  writeFileSync(target, '{}');
  symlinkSync(target, join(home, '.loopfuse', 'settings.json'));
  const file = await saveChoice(home, { provider: 'google', model: 'b' });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ provider: 'google', model: 'b' });
});

test('a file with a byte order mark is read, and the name of the key stays with its provider', async () => {
  const home = freshFolder();
  mkdirSync(join(home, '.loopfuse'));
  const file = join(home, '.loopfuse', 'settings.json');
  writeFileSync(file, `\ufeff${JSON.stringify({ provider: 'openai', apiKeyEnv: 'OUR_KEY' })}`);
  expect(loadSettings({ cwd: freshFolder(), home }).settings).toEqual({ provider: 'openai', apiKeyEnv: 'OUR_KEY' });
  await saveChoice(home, { provider: 'openai', model: 'b' });
  expect(loadSettings({ cwd: freshFolder(), home }).settings).toMatchObject({ model: 'b', apiKeyEnv: 'OUR_KEY' });
});

test.each(['{', '[]', 'null'])('a file with %s is left as it is, and reported', async (text) => {
  const home = freshFolder();
  mkdirSync(join(home, '.loopfuse'));
  const file = join(home, '.loopfuse', 'settings.json');
  writeFileSync(file, text);
  await expect(saveChoice(home, { provider: 'google', model: 'b' })).rejects.toThrow(/it is not JSON/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
