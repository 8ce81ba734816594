import { closeSync, linkSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

/** `held` until released; `busy` if another process did not release the lock in time. */
export type Lock = { readonly state: 'held'; release(): void } | { readonly state: 'busy' };

/** No hook works for this long: the process that made an older lock was killed. */
const staleMs = 10_000;

/**
 * A file that exists while a process holds the lock. The lock of a process that has ended is taken over, so that a
 * killed hook does not block others. Throws if the file cannot be made at all.
 */
export function takeLock(path: string, waitMs: number): Lock {
  const deadline = Date.now() + waitMs;
  const owner = `${process.pid} ${hostname()} ${process.hrtime.bigint()}`;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 32)) {
    if (create(path, owner)) return { state: 'held', release: () => release(path, owner) };
    const found = ownerOf(path);
    if (found === undefined) continue; // it was released in between
    if (isAbandoned(path, found)) remove(path, found);
    else if (Date.now() >= deadline) return { state: 'busy' };
    else pause(pauseMs);
  }
}

function create(path: string, owner: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
  try {
    writeSync(descriptor, owner);
  } catch (cause) {
    unlinkSync(path); // a full disk: better no lock than one without an owner
    throw cause;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function ownerOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

function isAbandoned(path: string, owner: string): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > staleMs) return true;
  const [pid, host] = owner.split(' ');
  if (host === undefined) return age > 1_000; // created but not written: its process was killed in between
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

/** Moves the abandoned lock away first and checks it: a valid one may have replaced it in the meantime. */
function remove(path: string, owner: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // another process was faster
  }
  if (ownerOf(aside) !== owner) putBack(aside, path);
  unlinkSync(aside);
}

/** Puts a valid lock back. A link, unlike a move, does not replace a lock that a third process has made since. */
function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // A third process has it, or there are no links here: its owner goes on without it.
  }
}

function release(path: string, owner: string): void {
  if (ownerOf(path) === owner) unlinkSync(path);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
