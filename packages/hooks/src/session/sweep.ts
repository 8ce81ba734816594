import { closeSync, openSync, readdirSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

export interface SweepOptions {
  /** Sessions that were not saved for this long are removed. */
  readonly expiryMs: number;
  /** If there are more sessions, the oldest are removed. */
  readonly mostSessions: number;
}

const everyMs = 10 * 60_000;
/** Locks and half-written files that are older were left by killed hooks. */
const leftBehindMs = 60 * 60_000;

/** Removes files that are not needed any more, at most once in ten minutes. */
export function sweepWhenDue(folder: string, options: SweepOptions): void {
  const mark = join(folder, '.swept');
  const swept = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  if (swept !== undefined && Date.now() - swept < everyMs) return;
  if (swept === undefined) closeSync(openSync(mark, 'a', 0o600));
  else utimesSync(mark, new Date(), new Date());
  sweep(folder, options);
}

export function sweep(folder: string, { expiryMs, mostSessions }: SweepOptions): void {
  const sessions: { readonly path: string; readonly at: number }[] = [];
  for (const name of readdirSync(folder)) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (at === undefined) continue; // Another hook is sweeping too.
    if (!name.endsWith('.json')) removeWhen(Date.now() - at > leftBehindMs, path);
    else if (Date.now() - at > expiryMs) removeWhen(true, path);
    else sessions.push({ path, at });
  }
  sessions.sort((a, b) => b.at - a.at);
  for (const { path } of sessions.slice(mostSessions)) removeWhen(true, path);
}

function removeWhen(due: boolean, path: string): void {
  if (!due) return;
  try {
    unlinkSync(path);
  } catch {
    // It is gone already.
  }
}
