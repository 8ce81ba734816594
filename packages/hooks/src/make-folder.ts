import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder for its user alone, with those above it. Throws where it cannot be made. Node's own `recursive` tries for
 * ever where the system says that nothing is there and nothing can be made: in /proc, or where homes are mounted when they
 * are asked for and this one is not known.
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
