import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file in one step and keeps its permissions; if the path is a link, it replaces the file that the link
 * leads to. Returns the folders that it had to make, the innermost first.
 */
export function writeWhole(path: string, text: string): readonly string[] {
  const made = makeFolder(dirname(path));
  const file = behindLinks(path);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const temporary = `${file}.${process.pid}.loopfuse-tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, mode === undefined ? 0o644 & ~process.umask() : mode & 0o777);
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
  return made;
}

function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function makeFolder(folder: string): string[] {
  const made: string[] = [];
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) made.push(at);
  mkdirSync(folder, { recursive: true });
  return made;
}
