import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { writeWhole } from '../workspace/write-whole.js';
import { maskedSession } from './mask-secrets.js';
import { readSession, type Session } from './session.js';

/** The folder for the sessions of a workspace, in the home folder: sessions contain conversations and must not be in projects. */
export function sessionFolder(home: string, root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  return join(home, '.loopfuse', 'sessions', `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
}

export function sessionFile(folder: string, id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError(`sessionFile: ${JSON.stringify(id)} is not the id of a session`);
  return join(folder, `${id}.json`);
}

/** Writes a session atomically, readable for its owner only. `mask` masks secrets in texts. */
export async function saveSession(
  file: string,
  session: Session,
  mask: (text: string) => string = (text) => text,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, `${JSON.stringify(maskedSession(session, mask))}\n`, 0o600);
}

/** Reads a session. Throws an error that names the file where it cannot be read. */
export async function loadSession(file: string): Promise<Session> {
  try {
    return readSession(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? `it is cut off or damaged (${cause.message})` : messageOf(cause);
    throw new TypeError(`${file} cannot be resumed: ${why}`, { cause });
  }
}
