import { setImmediate } from 'node:timers/promises';
import type { FoundFile } from '../../recorded/find-files.js';
import { createFollower, type Follower, type FollowerOptions } from './follower.js';
import { createMemory } from './memory.js';

/** All files that are followed. A log keeps its follower when it is renamed, and a name when its file is replaced. */
export interface FollowedFiles {
  /** Reads what is new in the files that exist now. Ends early when the signal is aborted. */
  look(files: readonly FoundFile[], signal?: AbortSignal): Promise<void>;
  readonly size: number;
}

interface Followed {
  readonly follower: Follower;
  readonly path: string;
  readonly inode: string;
}

/** Files after which timers and signals are handled. */
const breather = 32;

export function followFiles(options: Omit<FollowerOptions, 'isOld' | 'memory'>): FollowedFiles {
  const memory = createMemory();
  let followed = new Map<string, Followed>();
  let isFirstLook = true;
  return {
    get size() {
      return followed.size;
    },
    async look(files, signal) {
      const moved = movesOf(followed, files);
      const gone = new Set(moved.values());
      const now = new Map<string, Followed>();
      for (const [k, file] of files.entries()) {
        // Files are read synchronously: without a pause, Ctrl-C would not be noticed.
        if (k % breather === breather - 1) await setImmediate();
        if (signal?.aborted) break;
        const { path } = file;
        const here = followed.get(path);
        const one = moved.get(path) ?? (here && !gone.has(here) ? here : undefined);
        const follower = one?.follower ?? createFollower({ ...options, memory, isOld: isFirstLook });
        now.set(path, { follower, path, inode: inodeOf(file) });
        await follower.look(path, file.stats);
      }
      followed = now;
      isFirstLook = false;
    },
  };
}

/**
 * The logs that were renamed since the last look, by their new names. The inode alone is not enough: a freed inode is used
 * for the next file, and programs often rewrite a document by renaming a new file over it.
 */
function movesOf(followed: ReadonlyMap<string, Followed>, files: readonly FoundFile[]): Map<string, Followed> {
  const byInode = new Map([...followed.values()].map((one) => [one.inode, one]));
  const now = new Map(files.map((file) => [file.path, inodeOf(file)]));
  const moves = new Map<string, Followed>();
  for (const file of files) {
    const one = byInode.get(inodeOf(file));
    if (one === undefined || one.path === file.path) continue;
    // A second name of the same file is no move.
    if (now.get(one.path) === one.inode) continue;
    if (one.follower.movedTo(file.path, file.stats)) moves.set(file.path, one);
  }
  return moves;
}

function inodeOf({ path, stats }: FoundFile): string {
  return stats.ino === 0 ? path : `${stats.dev}:${stats.ino}`;
}
