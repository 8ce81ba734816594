import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './session.js';
import { saveSession, sessionFile } from './session-file.js';

/**
 * Keeps one session in its file. Another process may have gone on with the same session: then its file is left alone,
 * and this conversation goes on in a file of its own, so that neither loses what the other said.
 */
export interface SessionKeeper {
  /** Changes when the session has to go on in a file of its own. */
  readonly id: string;
  /** How often it was written. */
  readonly revision: number;
  /** What was said so far is on disk when it resolves. Gives a sentence where the session has got a new id. */
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

  /** Whether the file is as we left it. Only a file that was replaced is read. */
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

/** What the file says; nothing that could be ours where it cannot be read. */
async function revisionOf(file: string): Promise<number | undefined> {
  try {
    const { revision = 0 } = JSON.parse(await readFile(file, 'utf8')) as { revision?: number };
    return revision;
  } catch {
    return undefined;
  }
}

/** A lock is held for the milliseconds of a save; one from another time was left by a process that was ended. */
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
      // The clock may have been set back since. What cannot be removed ends the wait, too.
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
