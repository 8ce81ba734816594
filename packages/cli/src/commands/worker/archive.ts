import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { FileJob } from '../../recorded/queue/file-job.js';
import { UsageError } from '../../usage-error.js';

/** The folders that this machine reads for others. A path from the queue never leads outside them. */
export interface Archive {
  /** The file of a job on this machine, or why there is none. */
  find(job: FileJob): { readonly path: string } | { readonly why: string };
}

/** Throws `UsageError` for a folder that is not there. */
export function openArchive(folders: readonly string[]): Archive {
  const roots = folders.map((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`there is no folder ${JSON.stringify(folder)}. Check the spelling, or give another path.`);
    return realpathSync(folder);
  });
  return {
    find({ path, under, size }) {
      for (const candidate of [path, ...roots.map((root) => join(root, under))]) {
        const found = realPath(candidate);
        if (found === undefined || !roots.some((root) => isInside(root, found))) continue;
        const stats = statSync(found, { throwIfNoEntry: false });
        if (stats?.isFile() && stats.size === size) return { path: found };
      }
      return { why: `a worker has no file ${under} of ${size} bytes below ${roots.join(', ')}` };
    },
  };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(resolve(path));
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const under = relative(root, path);
  return under !== '' && !under.startsWith('..') && !isAbsolute(under);
}
