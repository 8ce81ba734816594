import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Display } from '@loopfuse/agent';
import { applyPatch } from 'diff';
import type { FileText } from '../editor.js';

/** A file before and after the change that a person is asked about; `undefined` where the file is not what it was then. */
export function changeOf(
  root: string,
  { path, patch }: Extract<Display, { type: 'diff' }>,
): { before: FileText; after: FileText } | undefined {
  const text = textOf(join(root, path));
  const changed = applyPatch(text, patch);
  return changed === false ? undefined : { before: { path, text }, after: { path, text: changed } };
}

/** A file that is to be made is empty before. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
