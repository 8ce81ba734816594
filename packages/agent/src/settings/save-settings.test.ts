import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../testing/folders.js';
import { loadSettings } from './load-settings.js';
import { saveChoice } from './save-settings.js';

test('a choice is written for its owner alone, and is read by the next start', async () => {
  const home = freshFolder();
  const choice = { provider: 'openai-compatible', model: 'm', baseURL: 'http://127.0.0.1:8080/v1' } as const;
  const file = await saveChoice(home, choice);
  expect(loadSettings({ cwd: freshFolder(), home }).settings).toEqual(choice);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('other settings stay; the address of an earlier choice goes', async () => {
  const home = freshFolder();
  mkdirSync(join(home, '.loopfuse'));
  const before = { approval: 'auto-edit', unknown: 1, provider: 'openai', model: 'a', baseURL: 'http://127.0.0.1/v1' };
  writeFileSync(join(home, '.loopfuse', 'settings.json'), JSON.stringify(before));
  const file = await saveChoice(home, { provider: 'google', model: 'b' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    approval: 'auto-edit',
    unknown: 1,
    provider: 'google',
    model: 'b',
  });
});

test.each(['{', '[]', 'null'])('a file with %s is left as it is, and reported', async (text) => {
  const home = freshFolder();
  mkdirSync(join(home, '.loopfuse'));
  const file = join(home, '.loopfuse', 'settings.json');
  writeFileSync(file, text);
  await expect(saveChoice(home, { provider: 'google', model: 'b' })).rejects.toThrow(/it is not JSON/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
