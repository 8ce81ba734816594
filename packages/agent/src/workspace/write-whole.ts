import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The end of the names of temporary files, so that files that a crash left can be found and removed. */
export const temporarySuffix = '.loopfuse-tmp';

/**
 * Replaces a file atomically: readers, also after a crash at any moment, find the complete old file or the complete new
 * file. Keeps the permissions of the old file; `mode` is for a new one, as far as the umask allows.
 */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}${temporarySuffix}`,
  );
  const permissions = await modeOf(path);
  const handle = await open(temporary, 'wx', permissions ?? mode);
  try {
    await handle.writeFile(content);
    if (permissions !== undefined) await handle.chmod(permissions);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (cause) {
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw cause;
  }
  await syncFolder(dirname(path));
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return undefined;
  }
}

/** Makes the renaming durable. Some systems cannot open a folder; there it is left to the file system. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // Not possible here.
  } finally {
    await handle?.close().catch(() => {});
  }
}
