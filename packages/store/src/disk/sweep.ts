import { readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SweepOptions {
  readonly mostSessions: number;
  readonly expirySeconds: number;
}

const everyMs = 10 * 60_000;
/** No process writes a file or holds a lock for this long. */
const leftBehindMs = 60 * 60_000;

/** Removes expired and surplus sessions and files of killed processes, at most once in ten minutes. Never throws. */
export async function sweepWhenDue(folder: string, options: SweepOptions): Promise<void> {
  try {
    if (await claim(join(folder, '.swept'))) await sweep(folder, options);
  } catch {
    // The next process tries again; this costs only disk space.
  }
}

/** Removes them now. */
export async function sweep(folder: string, { mostSessions, expirySeconds }: SweepOptions): Promise<void> {
  const sessions: { readonly path: string; readonly at: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const at = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (at === undefined) continue;
    const age = Date.now() - at;
    if (name.endsWith('.json') && age <= expirySeconds * 1_000) sessions.push({ path, at });
    else if (name.endsWith('.json') || (/\.(tmp|lock|takeover|old)$/.test(name) && age > leftBehindMs))
      await unlink(path).catch(() => {});
  }
  sessions.sort((a, b) => b.at - a.at);
  for (const { path } of sessions.slice(mostSessions)) await unlink(path).catch(() => {});
}

/** Whether this process must sweep now: of several processes, only one succeeds in moving the old mark away. */
async function claim(mark: string): Promise<boolean> {
  const at = (await stat(mark).catch(() => undefined))?.mtimeMs;
  if (at === undefined) {
    await writeFile(mark, '', { flag: 'wx', mode: 0o600 });
    return false;
  }
  if (Date.now() - at < everyMs) return false;
  const old = `${mark}.${process.pid}.old`;
  await rename(mark, old);
  await writeFile(mark, '', { flag: 'wx', mode: 0o600 });
  await unlink(old);
  return true;
}
