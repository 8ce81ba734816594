import { randomBytes } from 'node:crypto';
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A lock that its holder did not renew for this long is taken over. */
const leaseMs = 30_000;
const renewalMs = 10_000;

/**
 * A file that exists while a process holds the lock. The lock of a process of this machine that has ended, or a lock
 * that was not renewed in time, is taken over. Only the holder of a second file may remove such a lock, so that two
 * processes that find it at the same time do not remove each other's new lock.
 */
export class LockFile {
  readonly #owner = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}`;
  #renewal: NodeJS.Timeout | undefined;

  constructor(readonly path: string) {}

  /** Whether the lock was taken before `deadline`. */
  async take(deadline: number): Promise<boolean> {
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 32)) {
      if (await create(this.path, this.#owner)) break;
      if ((await isAbandoned(this.path)) && (await this.#removeAbandoned())) continue;
      if (Date.now() >= deadline) return false;
      await pause(waitMs * (0.5 + Math.random()));
    }
    this.#renewal = setInterval(() => void this.#renew(), renewalMs);
    this.#renewal.unref();
    return true;
  }

  async isOurs(): Promise<boolean> {
    return (await contentOf(this.path)) === this.#owner;
  }

  async release(): Promise<void> {
    clearInterval(this.#renewal);
    if (await this.isOurs()) await removed(this.path);
  }

  async #renew(): Promise<void> {
    if (await this.isOurs()) await utimes(this.path, new Date(), new Date()).catch(() => {});
  }

  /** Whether the abandoned file is gone: on a disk that has become read-only, nothing can be removed. */
  async #removeAbandoned(): Promise<boolean> {
    const second = `${this.path}.takeover`;
    if (!(await create(second, this.#owner))) {
      // Its holder needs it only for a moment; if the holder was killed in that moment, the file stays.
      return (await isAbandoned(second)) && (await removed(second));
    }
    try {
      return (await isAbandoned(this.path)) && (await removed(this.path));
    } finally {
      await removed(second);
    }
  }
}

/** Creates the file; false if it already exists. */
async function create(path: string, owner: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(owner);
    } catch (cause) {
      await removed(path); // A full disk: better no lock than one without an owner.
      throw cause;
    } finally {
      await handle.close();
    }
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  );
  if (age === undefined) return false; // It is gone: try again.
  if (age > leaseMs) return true;
  const [pid, host] = ((await contentOf(path)) ?? '').split(' ');
  if (host === undefined) return age > 2_000; // Created but not written: its holder was killed in between.
  return host === hostname() && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Removes a file; whether it is gone now. */
async function removed(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    (cause: NodeJS.ErrnoException) => cause.code === 'ENOENT',
  );
}
