import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Backend, Busy, unlocked } from '../backend.js';
import { createStore, defaultExpirySeconds } from '../create-store.js';
import type { Store, StoreOptions } from '../store.js';
import { LockFile } from './lock-file.js';
import { sweepWhenDue } from './sweep.js';

export interface DiskStoreOptions extends StoreOptions {
  /** The folder of the files. If it does not exist, it is made so that only this user can read it. */
  readonly folder: string;
  /** If there are more sessions than this, those that were saved longest ago are removed. */
  readonly mostSessions?: number;
}

/**
 * Keeps every session in a file of its own. Processes may share the folder: each waits for its turn with a lock file,
 * which a killed process does not block. A file is replaced in one step, so that it is complete whenever a process
 * ends.
 */
export function diskStore(options: DiskStoreOptions): Store {
  if (typeof options?.folder !== 'string' || options.folder === '')
    throw new TypeError(`diskStore: folder must be a path, got ${JSON.stringify(options?.folder)}`);
  return createStore(diskBackend(options), options);
}

function diskBackend({
  folder: path,
  mostSessions = 10_000,
  expirySeconds = defaultExpirySeconds,
}: DiskStoreOptions): Backend {
  if (!(Number.isSafeInteger(mostSessions) && mostSessions > 0))
    throw new RangeError(`diskStore: mostSessions must be a positive whole number, got ${mostSessions}`);
  const folder = resolve(path);
  let sweeping: Promise<void> = Promise.resolve();

  return {
    name: 'disk',
    async acquire(key, deadline) {
      const file = join(folder, `${nameOf(key)}.json`);
      const lock = new LockFile(`${file}.lock`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      let isTaken: boolean;
      try {
        isTaken = await lock.take(deadline);
      } catch (cause) {
        return unlocked(cause, () => textOf(file));
      }
      if (!isTaken) throw new Busy(`another process has held ${lock.path} for too long`, await textOf(file));
      try {
        return {
          text: await textOf(file),
          async finish(change) {
            try {
              if (change.type !== 'keep') await replace(file, change.text, lock);
            } finally {
              await lock.release();
            }
            sweeping = sweeping.then(() => sweepWhenDue(folder, { mostSessions, expirySeconds }));
            await sweeping;
          },
        };
      } catch (cause) {
        await lock.release().catch(() => {});
        throw cause;
      }
    },
    async *recent() {
      for (const file of await newestFirst(folder)) {
        const text = await textOf(file);
        if (text !== undefined) yield text;
      }
    },
    close: () => sweeping,
  };
}

/** Keys come from outside and may hold anything, even lone surrogates, which would all be the same in UTF-8. */
function nameOf(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 40);
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Readers find the complete old or the complete new file. Not synced: what a power cut breaks starts from scratch. */
async function replace(file: string, text: string, lock: LockFile): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    if (!(await lock.isOurs()))
      throw new Error(
        `expected to hold ${lock.path} still, but another process took it over while this one stood still`,
      );
    await rename(temporary, file);
  } catch (cause) {
    await unlink(temporary).catch(() => {});
    throw cause;
  }
}

async function newestFirst(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, at: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  return files.sort((a, b) => b.at - a.at).map(({ file }) => file);
}
