import { appendFileSync, chmodSync, realpathSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

/**
 * Lets `write` fill a temporary file, and renames it to `path` once it is complete: if the disk is full or the process
 * ends, the earlier file remains, if there was one. A link is kept, and its target is replaced. What is not a regular
 * file, such as `/dev/stdout` or a pipe, is written to directly. Rejects with what `write` throws.
 */
export async function writeWhole(
  path: string,
  write: (file: string) => void | Promise<void>,
  mode?: number,
): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) return write(path);
  const file = there === undefined ? path : realpathSync(path);
  const temporary = `${file}.${process.pid}.part`;
  try {
    await write(temporary);
    const wanted = mode ?? there?.mode;
    if (wanted !== undefined) chmodSync(temporary, wanted & 0o777);
    renameSync(temporary, file);
  } catch (cause) {
    removeIfThere(temporary);
    throw cause;
  }
}

/** Adds a text to the end of a file, all of it or nothing. */
export function appendWhole(path: string, text: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  try {
    appendFileSync(path, text);
  } catch (cause) {
    if (before === undefined) removeIfThere(path);
    else if (before.isFile()) truncateSync(path, before.size);
    throw cause;
  }
}

/** Ignores errors: the one to report is why the file could not be written. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // See above.
  }
}
