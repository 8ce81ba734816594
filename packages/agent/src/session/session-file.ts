import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { temporarySuffix, writeWhole } from '../workspace/write-whole.js';
import { readSession, type Session, titleOf } from './session.js';

/** The folder for the sessions of a workspace, in the home folder: sessions hold what was said, and stay out of projects. */
export function sessionFolder(home: string, root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  return join(home, '.loopfuse', 'sessions', `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
}

export function sessionFile(folder: string, id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError(`sessionFile: ${JSON.stringify(id)} is not the id of a session`);
  return join(folder, `${id}.json`);
}

/** Writes a session at once, readable for its owner alone. `mask` takes secrets out of the text. */
export async function saveSession(
  file: string,
  session: Session,
  mask: (text: string) => string = (text) => text,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, `${mask(JSON.stringify(session))}\n`, 0o600);
}

/** Reads a session. Throws with the file's name in the message where there is none. */
export async function loadSession(file: string): Promise<Session> {
  try {
    return readSession(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new TypeError(`${file} cannot be resumed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

export interface SessionSummary {
  readonly id: string;
  readonly file: string;
  readonly updatedAt: string;
  readonly model: string;
  /** The first words of the user. */
  readonly title: string;
  readonly messages: number;
  readonly halted: boolean;
}

/** The sessions in a folder, latest first. Files that are none are left out; what a crash has left is removed. */
export async function listSessions(folder: string): Promise<readonly SessionSummary[]> {
  const names = await readdir(folder).catch(() => []);
  const found: SessionSummary[] = [];
  for (const name of names) {
    const file = join(folder, name);
    if (name.endsWith(temporarySuffix)) await removeStale(file);
    if (!name.endsWith('.json')) continue;
    const session = await loadSession(file).catch(() => undefined);
    if (session === undefined) continue;
    const { id, updatedAt, model, history, halted } = session;
    const title = titleOf(session);
    found.push({ id, file, updatedAt, model, title, messages: history.length, halted: halted !== undefined });
  }
  return found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** A temporary file lives for milliseconds; after a minute nobody is writing it any more. */
const staleAfter = 60_000;

async function removeStale(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > staleAfter) await unlink(file).catch(() => {});
}
