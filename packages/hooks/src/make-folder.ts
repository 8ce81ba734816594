import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its user can read, with its parent folders. Throws if it cannot be made. Node's own
 * `recursive` tries for ever if the system says both that nothing is there and that nothing can be made: in /proc, or
 * where homes are mounted on demand and this one is unknown.
 */
export function makeFolder(folder: string): void {
  const above = dirname(folder);
  try {
    makeOne(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(above)) throw cause;
    makeFolder(above);
    makeOne(folder);
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}
