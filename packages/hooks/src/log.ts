import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

/** When the log is longer, a new one begins; the last one is kept beside it. */
const mostBytes = 256 * 1024;

/** Adds a line to the log of the hooks. Never throws: if the log cannot be written, there is none. */
export function log(folder: string, line: string, now: Date = new Date()): void {
  const file = join(folder, 'hook.log');
  try {
    makeFolder(folder);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${now.toISOString()} ${oneLine(line)}\n`, { mode: 0o600 });
  } catch {
    // A full disk, perhaps. The agent goes on.
  }
}

function oneLine(text: string): string {
  const plain = text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
  return plain.length > 1000 ? `${plain.slice(0, 1000)}…` : plain;
}
