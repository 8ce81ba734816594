import { setImmediate } from 'node:timers/promises';
import type { FoundFile } from '../../recorded/find-files.js';
import { createFollower, type Follower, type FollowerOptions } from './follower.js';
import { createMemory } from './memory.js';

/** All files that are followed. A log keeps its follower when it is renamed, and a name when its file is replaced. */
export interface FollowedFiles {
  /** Looks at the files that are there now; of very many, only until the signal says to end. */
  look(files: readonly FoundFile[], signal?: AbortSignal): Promise<void>;
  readonly size: number;
}

interface Followed {
  readonly follower: Follower;
  readonly path: string;
  readonly inode: string;
}

/** So many files, and whatever else waits has its turn. */
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
        // What is read at once lets nothing else come through, Ctrl-C included.
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
 * What was renamed since the last look, by its name now. A number of a file alone says little: it is given to the next
 * file as soon as it is free, and who writes a document anew does so in another file that then takes its place.
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
