import { closeSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { takeLock } from './lock.js';
import { sweepWhenDue } from './sweep.js';

export interface StateFileOptions {
  readonly folder: string;
  /** Identifies the session among all sessions of all agents. */
  readonly key: string;
  /** How long to wait for another hook of the same session before going on without saving. */
  readonly waitMs?: number;
  readonly onFault: (message: string) => void;
}

/** A longer state is not saved: no session needs that much. */
const mostCharacters = 4_000_000;
/** Sessions without an event for this long are removed; if there are too many, the oldest too. */
const expiryMs = 3 * 24 * 60 * 60_000;
const mostSessions = 2_000;

/**
 * Runs `work` with the saved state of a session and saves the new state, if there is one. Other hooks of the same
 * session wait meanwhile. `work` runs exactly once, whatever is wrong with the disk; faults are reported, and only the
 * state of the session is lost. Everything is synchronous: loading promise-based file access and a thread pool would
 * take longer than all of the work.
 */
export function updateState<Result>(
  { folder, key, waitMs = 2_000, onFault }: StateFileOptions,
  work: (saved: unknown) => { readonly result: Result; readonly save: unknown },
): Result {
  const file = join(folder, `${fileNameOf(key)}.json`);
  const lock = attempt('lock', onFault, () => {
    makeFolder(folder);
    return takeLock(`${file}.lock`, waitMs);
  });
  if (lock?.state === 'busy')
    onFault(`another hook has held ${file}.lock for ${waitMs} ms; this one is not remembered`);
  try {
    const { result, save } = work(attempt('load', onFault, () => load(file, key)));
    if (lock?.state !== 'busy' && save !== undefined) attempt('save', onFault, () => replace(file, key, save));
    return result;
  } finally {
    if (lock?.state === 'held') attempt('unlock', onFault, () => lock.release());
    attempt('sweep', onFault, () => sweepWhenDue(folder, { expiryMs, mostSessions }));
  }
}

function attempt<Value>(what: string, onFault: (message: string) => void, action: () => Value): Value | undefined {
  try {
    return action();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    onFault(`${what}: ${code ?? message}`);
    return undefined;
  }
}

function load(file: string, key: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
  const found = parsed(text) as { readonly key?: unknown; readonly state?: unknown } | undefined;
  if (found?.key !== key)
    throw new Error(`expected the state of this session, found ${text.length} characters of something else`);
  return found.state;
}

/** The engine's own error message would quote the text, which must not get into the log. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Readers find either the complete old file or the complete new one. */
function replace(file: string, key: string, state: unknown): void {
  const text = JSON.stringify({ key, state });
  if (text.length > mostCharacters)
    throw new Error(`expected at most ${mostCharacters} characters of state, found ${text.length}; not saved`);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeAll(descriptor, Buffer.from(text));
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (cause) {
    attempt(
      'clean up',
      () => {},
      () => unlinkSync(temporary),
    );
    throw cause;
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Session ids come from agents and may hold any characters; the file itself says to which session it belongs. */
export function fileNameOf(key: string): string {
  const plain = key.replace(/[^\w-]/g, '_').slice(0, 80);
  if (plain === key) return plain;
  let one = 0x811c9dc5;
  let two = 0x01234567;
  for (let at = 0; at < key.length; at++) {
    one = Math.imul(one ^ key.charCodeAt(at), 0x01000193);
    two = Math.imul(two ^ key.charCodeAt(at), 0x85ebca6b);
  }
  return `${plain}-${key.length.toString(36)}-${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}`;
}
