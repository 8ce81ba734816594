import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sessionLogOf, subagentLogsOf } from '@loopfuse/formats';
import { messageOf } from 'loopfuse/words';
import type { FileResult } from './scan-file.js';

/** Results of earlier scans, by the identity of the files. Never throws: an entry that cannot be read is missing. */
export interface ScanCache {
  get(file: string, identity: string): FileResult | undefined;
  put(file: string, identity: string, result: FileResult): void;
  /** Writes the new entries, all or none. Returns the reason if that failed. */
  save(): string | undefined;
}

export const noCache: ScanCache = { get: () => undefined, put() {}, save: () => undefined };

/** Beyond this number, entries that this scan did not ask for are dropped. */
const mostEntries = 100_000;

/** `version` identifies everything but the file that a result depends on: our code and the preset. */
export function openCache(folder: string, version: string): ScanCache {
  const path = join(folder, `scan-${createHash('sha256').update(version).digest('hex').slice(0, 16)}.tsv`);
  const known = new Map<string, string>();
  const asked = new Map<string, string>();
  for (const line of linesOf(path)) {
    const end = line.indexOf('\t');
    if (end > 0) known.set(line.slice(0, end), line.slice(end + 1));
  }
  let isNew = false;
  return {
    get(file, identity) {
      const key = keyOf(file);
      const entry = known.get(key);
      if (entry === undefined || !entry.startsWith(`${identity}\t`)) return undefined;
      const result = resultIn(entry.slice(identity.length + 1), file);
      if (result) asked.set(key, entry);
      return result;
    },
    put(file, identity, result) {
      if (!isKept(file, result)) return;
      isNew = true;
      asked.set(keyOf(file), `${identity}\t${JSON.stringify(result)}`);
    },
    save() {
      if (!isNew) return undefined;
      isNew = false;
      const entries = new Map(asked);
      for (const [key, entry] of known) {
        if (entries.size >= mostEntries) break;
        if (!entries.has(key)) entries.set(key, entry);
      }
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        forgetOthers(folder, path);
        writeWhole(path, entries);
        return undefined;
      } catch (cause) {
        return messageOf(cause);
      }
    },
  };
}

/** Line by line: all lines together may be longer than a string can be. */
function writeWhole(path: string, entries: ReadonlyMap<string, string>): void {
  const temporary = `${path}.${process.pid}`;
  try {
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      for (const [key, entry] of entries) writeSync(descriptor, `${key}\t${entry}\n`);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (cause) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The error to report is the first one.
    }
    throw cause;
  }
}

/** The cache folder of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || env.USERPROFILE || homedir(), '.cache'), 'loopfuse');
}

/**
 * What identifies a file. A database changes in its write-ahead log first; and some logs are read differently when
 * another is beside them.
 */
export function identityOf(file: string, { size, mtimeMs, ino, dev }: Stats): string {
  const own = [size, mtimeMs, ino, dev].join(' ');
  const beside = /\.db$/i.test(file)
    ? [`${file}-wal`]
    : /ui_messages|claude_messages|context/.test(basename(file))
      ? ['api_conversation_history.json', 'wire.jsonl'].map((name) => join(dirname(file), name))
      : subagentLogsOf(file);
  return [own, ...beside.map(stateOf)].join(' ');
}

/** Whatever is wrong with a file beside a log must not keep that log from being read. */
function stateOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size} ${mtimeMs}`;
  } catch {
    return '-';
  }
}

/** Changes with every build of the readers and detectors, and with Node, which determines what can be unpacked. */
export function codeVersion(): string {
  const hash = createHash('sha256').update(process.version);
  const own = dirname(fileURLToPath(import.meta.url));
  const folders = [
    dirname(fileURLToPath(import.meta.resolve('loopfuse'))),
    dirname(fileURLToPath(import.meta.resolve('@loopfuse/formats'))),
    own,
  ];
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!name.endsWith('.js')) continue;
      const { size, mtimeMs } = statSync(join(folder, name));
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

/**
 * Two results are not kept, because they can change while the identity of the file stays the same: sessions that are spread
 * over the files of a folder, and files that could not be read, whose permissions may change.
 */
function isKept(file: string, { spread, faults }: FileResult): boolean {
  if (faults.some(({ kind }) => kind === 'unreadable')) return false;
  return spread === undefined || /\.db$/i.test(file);
}

/** In JSON, because names may contain tabs and line breaks. */
function keyOf(file: string): string {
  return JSON.stringify(resolve(file));
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The same file may be asked for by another name. */
function resultIn(text: string, file: string): FileResult | undefined {
  try {
    const result = JSON.parse(text) as FileResult;
    return {
      ...result,
      reports: result.reports.map((report) => ({ ...report, session: { ...report.session, file } })),
      faults: result.faults.map((fault) => (sessionLogOf(fault.file) === undefined ? { ...fault, file } : fault)),
    };
  } catch {
    return undefined;
  }
}

/** Removes caches of other builds that were not written for a month. */
function forgetOthers(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === own || !/^scan-[0-9a-f]{16}\.tsv(\.\d+)?$/.test(name)) continue;
    if (Date.now() - statSync(path).mtimeMs > 30 * 86_400_000) rmSync(path, { force: true });
  }
}
