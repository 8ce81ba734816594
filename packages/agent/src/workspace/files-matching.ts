import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { walk } from './walk.js';
import { OutsideWorkspace, type Workspace } from './workspace.js';

export interface Matching {
  /** As `Workspace.locate` gives them, in the order of the patterns and then of their names, each once. */
  readonly files: readonly string[];
  /** Whether there are more than were asked for. */
  readonly more: boolean;
  /** What could not be used, in sentences. */
  readonly problems: readonly string[];
}

/**
 * The files that paths and patterns name. A pattern is matched against the files of a walk, so that it cannot name
 * anything outside the workspace.
 */
export async function filesMatching(
  workspace: Workspace,
  patterns: readonly string[],
  { signal, most, folder = '.' }: { signal: AbortSignal; most: number; folder?: string },
): Promise<Matching> {
  const base = await workspace.locate(folder);
  const files = new Set<string>();
  const problems: string[] = [];
  let more = false;
  for (const pattern of patterns) {
    if (!picomatch.scan(pattern).isGlob) {
      const plain = await plainFile(workspace, base, pattern);
      if (typeof plain === 'string') files.add(plain);
      else problems.push(plain.problem);
    } else {
      const matches = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
      for await (const path of walk(workspace, base, { signal })) {
        if (!matches(relativeTo(workspace, base, path))) continue;
        if (files.size >= most && !files.has(path)) {
          more = true;
          break;
        }
        files.add(path);
      }
    }
  }
  return { files: [...files].slice(0, most), more: more || files.size > most, problems };
}

/** A pattern without wildcards names one file. */
async function plainFile(workspace: Workspace, base: string, path: string): Promise<string | { problem: string }> {
  try {
    const real = await workspace.locate(base === workspace.root ? path : join(base, path));
    const found = await lstat(real).catch(() => undefined);
    if (found === undefined) return { problem: `There is no file ${path}.` };
    return found.isDirectory() ? { problem: `${path} is a folder; name its files, as ${path}/**.` } : real;
  } catch (cause) {
    if (cause instanceof OutsideWorkspace) return { problem: cause.message };
    throw cause;
  }
}

function relativeTo(workspace: Workspace, base: string, path: string): string {
  const shown = workspace.show(path);
  return base === workspace.root ? shown : shown.slice(workspace.show(base).length + 1);
}
