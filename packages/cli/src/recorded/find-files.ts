import { constants, type Stats, statSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sessionLogOf } from '@loopfuse/formats';
import { messageOf } from 'loopfuse/words';
import { UsageError } from '../usage-error.js';

export interface FoundFile {
  readonly path: string;
  /** Named on the command line, not found in a folder: if it has no session, that is reported. */
  readonly named: boolean;
  /** Its state when it was found, before anything was read. */
  readonly stats: Stats;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Folders that could not be listed, and files that could not be looked at. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

/** They contain many files and no sessions. */
const skippedFolders = new Set(['node_modules', '.git']);

/**
 * The files under the given paths, each once, folders in the order of their names. Links are followed only where they
 * are named on the command line, so a folder cannot lead outside itself. Throws `UsageError` for a path that cannot be
 * read at all.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const found = new Map<string, FoundFile>();
  const faults: { file: string; message: string }[] = [];

  async function walk(folder: string): Promise<void> {
    let entries: Awaited<ReturnType<typeof list>>;
    try {
      entries = await list(folder);
    } catch (cause) {
      faults.push({ file: folder, message: `the folder could not be listed: ${messageOf(cause)}` });
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) await walk(path);
      } else if (entry.isFile()) add(path, false);
    }
  }

  function add(path: string, named: boolean): void {
    const key = resolve(path);
    if (found.has(key)) return;
    try {
      const stats = statSync(path, { throwIfNoEntry: false }); // it may be gone already
      if (stats?.isFile()) found.set(key, { path, named, stats });
      // Node replaces bytes of a name that are not UTF-8, so such a file cannot be opened.
      else if (stats === undefined && path.includes('\ufffd'))
        faults.push({ file: path, message: 'its name is not valid UTF-8, so it cannot be opened; rename it' });
    } catch (cause) {
      faults.push({ file: path, message: `it could not be looked at: ${messageOf(cause)}` });
    }
  }

  for (const path of paths) {
    const kind = await kindOf(path);
    if (kind === 'file') add(path, true);
    else await walk(path);
  }
  return { files: [...found.values()], faults };
}

/** Without the logs of sub-agents whose session is in the list: its reader reads them, too. */
export function withoutParts(files: readonly FoundFile[]): readonly FoundFile[] {
  const there = new Set(files.map(({ path }) => resolve(path)));
  return files.filter(({ path }) => {
    const whole = sessionLogOf(path);
    return whole === undefined || !there.has(resolve(whole));
  });
}

const savePiped = 'To scan what comes through a pipe, save it to a file first.';

async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function kindOf(path: string): Promise<'file' | 'folder'> {
  if (path === '-') throw new UsageError(`standard input is not read. ${savePiped}`);
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    if (stats.isDirectory()) return 'folder';
    if (stats.isFile()) return 'file';
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new UsageError(
        `there is no file or folder ${JSON.stringify(path)}. Check the spelling, or give another path.`,
      );
    if (code === 'EACCES' || code === 'EPERM')
      throw new UsageError(
        `${JSON.stringify(path)} cannot be read: permission denied. Change its permissions, or copy it first.`,
      );
    throw new UsageError(`${JSON.stringify(path)} cannot be read: ${messageOf(cause)}.`);
  }
  throw new UsageError(`${JSON.stringify(path)} is neither a file nor a folder. ${savePiped}`);
}
