import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskStore } from '@loopfuse/store/disk';
import { storeLaws } from '@loopfuse/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loops } from '../testing/loops.js';
import { sweep } from './sweep.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopfuse-store-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

storeLaws(
  'disk',
  async () => {
    const own = join(folder, 'sessions');
    return {
      open: (options) => diskStore({ ...options, folder: own }),
      async damage() {
        for (const name of await readdir(own))
          if (name.endsWith('.json')) await writeFile(join(own, name), '{"version":1');
      },
      async outage() {
        await rename(own, `${own}-away`);
        await writeFile(own, 'a file where the folder was');
        return async () => {
          await rm(own);
          await rename(`${own}-away`, own);
        };
      },
      async remove() {},
    };
  },
  { shared: true, loops },
);

describe('the files', () => {
  test('are for this user alone, and nothing else stays behind', async () => {
    const own = join(folder, 'sessions');
    const store = diskStore({ folder: own });
    await store.update('a', () => ({ result: 0, save: 1 }));
    const names = await readdir(own);
    expect(names.filter((name) => name !== '.swept')).toEqual([expect.stringMatching(/^[0-9a-f]{40}\.json$/)]);
    expect((await stat(own)).mode & 0o777).toBe(0o700);
    for (const name of names) expect((await stat(join(own, name))).mode & 0o777).toBe(0o600);
  });

  test('of expired sessions, of too many sessions and of killed processes are swept away', async () => {
    const write = async (name: string, secondsAgo: number): Promise<void> => {
      await writeFile(join(folder, name), '');
      const at = Date.now() / 1_000 - secondsAgo;
      await utimes(join(folder, name), at, at);
    };
    await write('new.json', 1);
    await write('older.json', 10);
    await write('oldest.json', 20);
    await write('expired.json', 200);
    await write('new.json.1.ab.tmp', 1);
    await write('old.json.1.ab.tmp', 7_200);
    await write('old.json.lock', 7_200);
    await write('.swept', 7_200);
    await sweep(folder, { mostSessions: 2, expirySeconds: 100 });
    expect((await readdir(folder)).sort()).toEqual(['.swept', 'new.json', 'new.json.1.ab.tmp', 'older.json']);
  });

  test('are swept by a store that is used', async () => {
    const store = diskStore({ folder, mostSessions: 1 });
    await store.update('a', () => ({ result: 0, save: 1 }));
    await utimes(join(folder, '.swept'), 0, 0);
    await store.update('b', () => ({ result: 0, save: 2 }));
    expect((await store.recent()).map(({ key }) => key)).toEqual(['b']);
  });
});

describe('a lock', () => {
  async function lockPath(): Promise<string> {
    await diskStore({ folder }).update('a', () => ({ result: 0, save: 1 }));
    return join(folder, `${(await readdir(folder)).find((name) => name.endsWith('.json'))}.lock`);
  }

  test.each([
    ['of a process that has ended', '4194303 HOST x', 0],
    ['of another machine that was not renewed', '1 elsewhere x', 60],
    ['that was made and never written', '', 10],
  ])('%s is taken over', async (_, content, secondsAgo) => {
    const path = await lockPath();
    await writeFile(path, content.replace('HOST', hostname()));
    const at = Date.now() / 1_000 - secondsAgo;
    await utimes(path, at, at);
    const faults: unknown[] = [];
    const store = diskStore({ folder, onFault: (fault) => faults.push(fault) });
    expect(await store.update('a', (saved) => ({ result: saved, save: 2 }))).toBe(1);
    expect(await store.update('a', (saved) => ({ result: saved }))).toBe(2);
    expect(faults).toEqual([]);
  });

  test('that nobody can remove is waited for, not for ever', async () => {
    const path = await lockPath();
    await mkdir(path); // In the place of a file on a disk that has become read-only.
    const at = Date.now() / 1_000 - 60;
    await utimes(path, at, at);
    const faults: string[] = [];
    const store = diskStore({ folder, waitMs: 50, onFault: ({ message }) => faults.push(message) });
    expect(await store.update('a', (saved) => ({ result: saved, save: 2 }))).toBe(1);
    expect(faults).toEqual([expect.stringContaining('has held')]);
  });

  test('of another machine is waited for; then the request goes on and saves nothing', async () => {
    const path = await lockPath();
    await writeFile(path, '1 elsewhere x');
    const faults: string[] = [];
    const store = diskStore({ folder, waitMs: 50, onFault: ({ message }) => faults.push(message) });
    expect(await store.update('a', (saved) => ({ result: saved, save: 2 }))).toBe(1);
    expect(faults).toEqual([expect.stringContaining('has held')]);
    await rm(path);
    expect(await store.update('a', (saved) => ({ result: saved }))).toBe(1);
  });

  test('that another process took over meanwhile keeps the late one from saving', async () => {
    const path = await lockPath();
    const faults: string[] = [];
    const store = diskStore({ folder, onFault: ({ message }) => faults.push(message) });
    await store.update('a', async () => {
      await writeFile(path, '1 elsewhere x');
      return { result: 0, save: 'late' };
    });
    expect(faults).toEqual([expect.stringContaining('took it over')]);
    await rm(path);
    expect(await diskStore({ folder }).update('a', (saved) => ({ result: saved }))).toBe(1);
  });
});
