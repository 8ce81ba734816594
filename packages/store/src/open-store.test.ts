import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, withoutPassword } from '@loopfuse/store';
import { afterEach, expect, test, vi } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'loopfuse-home-'));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('~ behind disk: is the home folder, and not a folder of that name', async () => {
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  const store = await openStore('disk:~/sessions');
  await store.update('a', () => ({ result: 0, save: 1 }));
  await store.close();
  expect(existsSync(join(home, 'sessions'))).toBe(true);
});

test.each([
  ['got undefined', undefined],
  ['got ""', ''],
  ['got "disk:"', 'disk:'],
  ['got "postgres://me:***@host"', 'postgres://me:secret@host'],
])('what is no address of a store is refused: %s', async (found, address) => {
  await expect(openStore(address as string)).rejects.toThrow(
    `expected memory:, disk:FOLDER or redis://HOST:PORT as a store, ${found}`,
  );
});

test.each([
  'redis://me:sec/ret@host:6379',
  'redis://me:sec#ret@host',
  'redis://me:12#secret@host',
  'redis://host:99999',
])('what is no address of a Redis is refused at once, and not quoted: %s', async (address) => {
  const refused = await openStore(address).catch((cause: Error) => cause.message);
  expect(refused).toMatch(/^redisStore: url must be an address such as redis:/);
  expect(refused).not.toContain('host');
});

test.each([
  ['redis://me:secret@host:1', 'redis://me:***@host:1'],
  ['redis://host?password=secret', 'redis://host?password=***'],
  ['redis://me:sec/ret@host', 'redis://***@host'],
  ['disk:here', 'disk:here'],
])('no password is shown: %s', (address, shown) => {
  expect(withoutPassword(address)).toBe(shown);
});
