import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { type FileText, readText } from '../workspace/read-text.js';
import { codeOf } from '../workspace/workspace.js';
import { writeWhole } from '../workspace/write-whole.js';
import type { Display, ToolContext, ToolOutcome } from './tool.js';

/** The new content of a file, or why there is none. */
export type Edit = { readonly after: string } | { readonly problem: string };

/** Reads a file, lets `edit` decide, writes the file at once, and says what was done. */
export async function change(
  { workspace, signal }: ToolContext,
  path: string,
  edit: (before: FileText) => Edit,
): Promise<ToolOutcome> {
  const real = await workspace.locate(path);
  const shown = workspace.show(real);
  const before = await readText(real);
  const decided = edit(before);
  if ('problem' in decided) return { output: decided.problem, failed: true };
  const old = before.type === 'text' ? before.text : '';
  if (before.type === 'text' && old === decided.after)
    return { output: `${shown} has exactly this content already; nothing was changed.` };
  signal.throwIfAborted();
  try {
    await mkdir(dirname(real), { recursive: true });
    // A folder just made may stand on a path that was a link a moment ago: look again before writing.
    await writeWhole(await workspace.locate(path), decided.after);
  } catch (cause) {
    return { output: `${shown} could not be written (${codeOf(cause)}).`, failed: true };
  }
  const lines = decided.after.split('\n').length - (decided.after.endsWith('\n') ? 1 : 0);
  return {
    output: `${shown} was ${before.type === 'missing' ? 'created' : 'changed'} (${lines} ${lines === 1 ? 'line' : 'lines'}).`,
    display: patchOf(shown, old, decided.after),
  };
}

/** Larger texts are not compared: the comparison is quadratic at worst. */
const maxCompared = 400_000;

export function patchOf(path: string, before: string, after: string): Display {
  if (before.length + after.length > maxCompared)
    return { type: 'text', text: `${path}: ${before.length} characters become ${after.length}` };
  const patch = createTwoFilesPatch(path, path, before, after, '', '', { timeout: 1000 });
  return patch === undefined
    ? { type: 'text', text: `${path}: ${before.length} characters become ${after.length}` }
    : { type: 'diff', path, patch };
}
