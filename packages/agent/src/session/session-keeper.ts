import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './session.js';
import { saveSession, sessionFile } from './session-file.js';

/**
 * Saves one session in its file. If another process has continued the same session, its file is not overwritten: this
 * conversation continues in a new file, so nothing of either is lost.
 */
export interface SessionKeeper {
  /** Changes when the session has to continue in a new file. */
  readonly id: string;
  /** How many times it was written. */
  readonly revision: number;
  /** Resolves when the session is on disk, to a sentence where the session has a new id. */
  save(session: Session): Promise<string | undefined>;
}

export interface SessionKeeperOptions {
  readonly id: string;
  readonly file: string;
  /** The revision that was loaded; 0 for a new session. */
  readonly revision: number;
  readonly mask: (text: string) => string;
}

export function keepSession(options: SessionKeeperOptions): SessionKeeper {
  const { mask } = options;
  let { id, file, revision } = options;
  let stamp: string | undefined;

  /** Whether the file is unchanged since our last save. Only a replaced file is read. */
  async function isOurs(): Promise<boolean> {
    const found = await stampOf(file);
    return found === undefined || found === stamp || (await revisionOf(file)) === revision;
  }

  async function write(session: Session): Promise<void> {
    await saveSession(file, { ...session, id, revision: revision + 1 }, mask);
    revision++;
    stamp = await stampOf(file);
  }

  return {
    get id() {
      return id;
    },
    get revision() {
      return revision;
    },
    async save(session) {
      const branched = await locked(file, async () => {
        if (!(await isOurs())) return true;
        await write(session);
        return false;
      });
      if (!branched) return undefined;
      id = randomUUID();
      file = sessionFile(dirname(file), id);
      revision = 0;
      await write(session);
      return `Another window or terminal has continued this session. This conversation continues as a new session, ${id}. Nothing is lost.`;
    },
  };
}

async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
}

/** The revision in the file. `undefined` where it cannot be read: then it is not ours. */
async function revisionOf(file: string): Promise<number | undefined> {
  try {
    const { revision = 0 } = JSON.parse(await readFile(file, 'utf8')) as { revision?: number };
    return revision;
  } catch {
    return undefined;
  }
}

/** A lock is held for the milliseconds of a save. An old one was left by a process that was killed. */
const staleAfter = 10_000;
const pause = 25;

/** Works while no other process saves the same session. */
async function locked<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause;
      const found = await stat(lock).catch(() => undefined);
      // The clock may have been set back, hence `abs`. If the lock cannot be removed, `rm` throws and the wait ends.
      if (found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleAfter) await rm(lock, { force: true });
      else await wait(pause);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true }).catch(() => {});
  }
}
