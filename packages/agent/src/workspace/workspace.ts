import { realpathSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The folder that the file tools cannot leave. */
export interface Workspace {
  /** Absolute, with links resolved. */
  readonly root: string;
  /**
   * The real, absolute path of something in the workspace, existing or not. Throws `OutsideWorkspace` for everything
   * else: `..`, absolute paths and links that lead out, broken links, and invalid names.
   */
  locate(path: string): Promise<string>;
  /** How a path from `locate` is shown: relative to the root, with `/`; `.` for the root itself. */
  show(absolute: string): string;
}

/** A path was refused. The message is meant for the model and the user alike. */
export class OutsideWorkspace extends Error {
  override readonly name = 'OutsideWorkspace';
}

export function createWorkspace(folder: string): Workspace {
  const root = realRoot(folder);
  return {
    root,
    async locate(path) {
      if (path === '') throw new OutsideWorkspace('The path is empty.');
      if (path.includes('\0')) throw new OutsideWorkspace(`The path ${JSON.stringify(path)} has a NUL in it.`);
      const real = await realOf(resolve(root, path), path);
      if (isInside(root, real)) return real;
      throw new OutsideWorkspace(`${JSON.stringify(path)} is outside the workspace ${root}. Use a path inside it.`);
    },
    show: (absolute) => relative(root, absolute).split(sep).join('/') || '.',
  };
}

function realRoot(folder: string): string {
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (cause) {
    throw new TypeError(`createWorkspace: there is no folder ${JSON.stringify(folder)}`, { cause });
  }
  throw new TypeError(`createWorkspace: ${JSON.stringify(folder)} is not a folder`);
}

/** Resolves links in the existing part of the path. The rest does not exist, so it contains no links. */
async function realOf(absolute: string, given: string): Promise<string> {
  const missing: string[] = [];
  for (let existing = absolute; ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...missing);
    } catch (cause) {
      const code = codeOf(cause);
      if (code !== 'ENOENT') throw new OutsideWorkspace(`${JSON.stringify(given)} cannot be resolved (${code}).`);
      if (await isLink(existing))
        throw new OutsideWorkspace(`${JSON.stringify(given)} leads through a link to nothing.`);
      if (dirname(existing) === existing) throw new OutsideWorkspace(`${JSON.stringify(given)} cannot be resolved.`);
      missing.unshift(basename(existing));
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Whether a real path is the root or lies below it. */
export function isInside(root: string, real: string): boolean {
  const way = relative(root, real);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown error';
}
