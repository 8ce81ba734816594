import { join } from 'node:path';
import { type Display, type Files, shownText } from '@loopfuse/agent';
import { applyPatch } from 'diff';
import type { FileText } from '../editor.js';

/**
 * A file before and after the change that needs approval, read as the agent reads it: in its encoding, and from the editor if it
 * has unsaved changes. `undefined` if the file has changed since.
 */
export async function changeOf(
  root: string,
  { path, patch }: Extract<Display, { type: 'diff' }>,
  files: Pick<Files, 'read'>,
): Promise<{ before: FileText; after: FileText } | undefined> {
  const found = await files.read(join(root, path));
  const text = found.type === 'text' ? shownText(found) : ''; // a file that will be created
  const changed = applyPatch(text, patch);
  return changed === false ? undefined : { before: { path, text }, after: { path, text: changed } };
}
