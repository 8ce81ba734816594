import type { FoundFile } from '../scan/find-files.js';
import { createFollower, type Follower, type FollowerOptions } from './follower.js';

/** All files that are followed. A file keeps its follower when it is renamed, and a name when its file is replaced. */
export interface FollowedFiles {
  /** Looks at the files that are there now. */
  look(files: readonly FoundFile[]): Promise<void>;
  readonly size: number;
}

interface Followed {
  readonly follower: Follower;
  path: string;
  inode: string;
}

export function followFiles(options: Omit<FollowerOptions, 'isOld'>): FollowedFiles {
  let followed: Followed[] = [];
  let isFirstLook = true;
  return {
    get size() {
      return followed.length;
    },
    async look(files) {
      const inodes = new Set(files.map(inodeOf));
      const byInode = new Map(followed.map((one) => [one.inode, one]));
      const replaced = new Map(followed.filter((one) => !inodes.has(one.inode)).map((one) => [one.path, one]));
      const now: Followed[] = [];
      for (const file of files) {
        const inode = inodeOf(file);
        const one = byInode.get(inode) ??
          replaced.get(file.path) ?? {
            follower: createFollower({ ...options, isOld: isFirstLook }),
            path: file.path,
            inode,
          };
        byInode.delete(inode); // a second name of the same file has a follower of its own
        one.path = file.path;
        one.inode = inode;
        now.push(one);
        await one.follower.look(file.path, file.stats);
      }
      followed = now;
      isFirstLook = false;
    },
  };
}

function inodeOf({ path, stats }: FoundFile): string {
  return stats.ino === 0 ? path : `${stats.dev}:${stats.ino}`;
}
