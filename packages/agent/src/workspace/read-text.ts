import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Decoded, decode } from './text-encoding.js';
import { codeOf } from './workspace.js';

/** The text at a path, or why there is none. */
export type FileText =
  | ({ readonly type: 'text'; readonly bytes: number; readonly unsaved?: boolean } & Decoded) // `unsaved`: in an editor, not on disk
  | { readonly type: 'binary'; readonly bytes: number }
  | { readonly type: 'too-large'; readonly bytes: number }
  | { readonly type: 'not-a-file'; readonly what: string }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly code: string };

/** Larger files are not read. */
const maxBytes = 32 * 2 ** 20;

/** Reads a file at a path from `Workspace.locate`. Does not block on a pipe, and does not follow a link that was put there since. */
export async function readText(path: string): Promise<FileText> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await handle.stat();
    if (found.isDirectory()) return { type: 'not-a-file', what: 'a folder' };
    if (!found.isFile()) return { type: 'not-a-file', what: 'a pipe, a socket or a device' };
    if (found.size > maxBytes) return { type: 'too-large', bytes: found.size };
    const bytes = await handle.readFile();
    const decoded = decode(bytes);
    if (decoded === undefined) return { type: 'binary', bytes: bytes.length };
    return { type: 'text', ...decoded, bytes: bytes.length };
  } catch (cause) {
    const code = codeOf(cause);
    return code === 'ENOENT' ? { type: 'missing' } : { type: 'unreadable', code };
  } finally {
    await handle?.close().catch(() => {});
  }
}

/** Why something could not be read as text, as a sentence. */
export function inWords(shown: string, found: Exclude<FileText, { type: 'text' }>): string {
  switch (found.type) {
    case 'missing':
      return `There is no file ${shown}.`;
    case 'binary':
      return `${shown} is not text (${found.bytes} bytes).`;
    case 'too-large':
      return `${shown} is too large to read whole (${found.bytes} bytes). Search in it, or read a part with the shell.`;
    case 'not-a-file':
      return `${shown} is ${found.what}, not a file.`;
    case 'unreadable':
      return `${shown} cannot be read (${found.code}).`;
  }
}
