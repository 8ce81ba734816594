import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clipEnd } from './workspace/clip.js';
import { isInside } from './workspace/workspace.js';

/** The file with a project's instructions for agents. */
export const memoryFile = 'AGENTS.md';

/** Longer text is cut, and a larger file is ignored. */
const most = { characters: 24_000, bytes: 1_000_000 };

/** The project's instructions for agents. `undefined` where there are none, or where the file is outside the workspace. */
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
