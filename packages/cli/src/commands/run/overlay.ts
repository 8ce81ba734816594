import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { messageOf } from 'loopfuse/words';

/** A folder that looks like another one, except for one file. */
export interface Overlay {
  readonly folder: string;
  /**
   * Moves what the program has added or replaced into `source`, and removes the folder. Throws where something cannot be
   * moved; the folder then stays.
   */
  remove(): void;
}

/**
 * Makes a folder of links to everything in `source`, with another content of one file, so that a program can be pointed at
 * it without a change of the user's own configuration. What the program writes through the links reaches the source; new
 * entries, and those that replaced a link, are moved there at the end.
 */
export function createOverlay(source: string, file: string, content: string): Overlay {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-run-'));
  const parts = dirname(file) === '.' ? [] : dirname(file).split('/');
  const levels = [[], ...parts.map((_, k) => parts.slice(0, k + 1))];
  for (const level of levels) {
    mkdirSync(join(folder, ...level), { recursive: true, mode: 0o700 });
    const replaced = level.length < parts.length ? parts[level.length] : basename(file);
    for (const name of entriesOf(join(source, ...level)))
      if (name !== replaced) symlinkSync(join(source, ...level, name), join(folder, ...level, name));
  }
  writeFileSync(join(folder, file), content, { mode: 0o600 });
  return {
    folder,
    remove() {
      try {
        for (const level of levels)
          for (const name of entriesOf(join(folder, ...level))) {
            const made = join(folder, ...level, name);
            const kept = join(source, ...level, name);
            const ours = join(...level, name) === file || name === parts[level.length];
            if (ours || lstatSync(made).isSymbolicLink()) continue;
            mkdirSync(dirname(kept), { recursive: true });
            cpSync(made, kept, { recursive: true });
          }
      } catch (cause) {
        throw new Error(`what the program has written is left in ${folder}: ${messageOf(cause)}`);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function entriesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
