import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporarySuffix } from '../workspace/write-whole.js';
import { titleOf } from './session.js';
import { loadSession } from './session-file.js';

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

/** The sessions in a folder, latest first. Other files are left out, and temporary files that a crash left are removed. */
export async function listSessions(folder: string): Promise<readonly SessionSummary[]> {
  const names = await readdir(folder).catch(() => []);
  const found: SessionSummary[] = [];
  for (const name of names) {
    const file = join(folder, name);
    if (name.endsWith(temporarySuffix) || name.endsWith('.json.lock')) await removeStale(file);
    if (!name.endsWith('.json')) continue;
    const summary = await summaryOf(file);
    if (summary !== undefined) found.push(summary);
  }
  return found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** The summaries of files, the most recently read at the end. A save replaces the file, which changes its stamp. */
const remembered = new Map<string, { readonly stamp: string; readonly summary: SessionSummary | undefined }>();
const mostRemembered = 2000;

/** Sessions are long and are listed after every request: each is read once. */
async function summaryOf(file: string): Promise<SessionSummary | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const stamp = `${found.ino} ${found.mtimeMs} ${found.size}`;
  const known = remembered.get(file);
  if (known?.stamp === stamp) return known.summary;
  const summary = await readSummary(file);
  remembered.delete(file);
  remembered.set(file, { stamp, summary });
  if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!);
  return summary;
}

async function readSummary(file: string): Promise<SessionSummary | undefined> {
  const session = await loadSession(file).catch(() => undefined);
  if (session === undefined) return undefined;
  const { id, updatedAt, model, history, halted } = session;
  const title = titleOf(session);
  return { id, file, updatedAt, model, title, messages: history.length, halted: halted !== undefined };
}

/** A temporary file lives for milliseconds; after a minute nobody is writing it any more. */
const staleAfter = 60_000;

async function removeStale(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > staleAfter) await unlink(file).catch(() => {});
}
