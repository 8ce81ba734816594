import { appendFileSync, chmodSync, realpathSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

/**
 * Lets `write` fill a file, and puts it in the place of `path` once it is whole: a full disk, or an end half way, leaves what
 * was there before, or nothing. A link stays, and what it leads to is replaced. What is no regular file, such as
 * `/dev/stdout` or a pipe, is written to directly. Rejects with what `write` throws.
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

/** The folder may be none at all: what is worth reporting is why the file could not be written. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // See above.
  }
}
