import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileText, readText } from './read-text.js';
import { type Decoded, encode } from './text-encoding.js';
import { writeWhole } from './write-whole.js';

/**
 * Where tools read and write text: the disk, or an editor whose documents may have unsaved changes. All paths are from
 * `Workspace.locate`.
 */
export interface Files {
  read(path: string): Promise<FileText>;
  /**
   * Replaces the text of a file, or creates it with the folders that it needs. `before` is what `read` returned. May
   * resolve to a sentence for the model about where the text is now. Rejects where the file cannot be written.
   */
  write(path: string, after: Decoded, before: FileText): Promise<string | undefined>;
}

export const diskFiles: Files = {
  read: readText,
  async write(path, after) {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, encode(after));
    return undefined;
  },
};
