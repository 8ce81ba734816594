import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clipEnd } from './workspace/clip.js';
import { isInside } from './workspace/workspace.js';

/** Where a project writes down, for every agent, how to work in it. */
export const memoryFile = 'AGENTS.md';

/** More than this, in characters or bytes, is no note to keep in mind. */
const most = { characters: 24_000, bytes: 1_000_000 };

/** What the project says to agents; nothing where it says nothing, or where that lies outside of the workspace. */
export function projectMemory(root: string): string | undefined {
  try {
    const file = realpathSync(join(root, memoryFile));
    const found = statSync(file);
    if (!isInside(realpathSync(root), file) || !found.isFile() || found.size > most.bytes) return undefined;
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? undefined : clipEnd(text, most.characters, `read_file shows all of ${memoryFile}.`);
  } catch {
    return undefined; // there is none, or it cannot be read
  }
}
