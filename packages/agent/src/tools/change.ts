import { createTwoFilesPatch } from 'diff';
import type { FileText } from '../workspace/read-text.js';
import { type Decoded, type Encoding, encodingProblem, shown as shownText } from '../workspace/text-encoding.js';
import { codeOf } from '../workspace/workspace.js';
import type { Display, ToolContext, ToolOutcome } from './tool.js';

/** The new content of a file, or why there is none. */
export type Edit = { readonly after: string; readonly encoding?: Encoding } | { readonly problem: string };

/** Computes the new content of a file; `shown` is the name of the file in messages. */
export type Editing = (before: FileText, shown: string) => Edit;

/** A valid change: the new content, and how the file is named. */
interface Planned {
  readonly real: string;
  readonly shown: string;
  readonly before: FileText;
  readonly after: Decoded;
}

/** Reads a file, applies `edit`, replaces the file atomically, and reports what was done. */
export async function change(context: ToolContext, path: string, edit: Editing): Promise<ToolOutcome> {
  const planned = await plan(context, path, edit);
  if ('problem' in planned) return { output: planned.problem, failed: true };
  const { shown, before, after } = planned;
  if (before.type === 'text' && before.text === after.text)
    return { output: `${shown} has exactly this content already; nothing was changed.` };
  context.signal.throwIfAborted();
  let note: string | undefined;
  try {
    // A folder may have become a link since, so the path is checked again.
    note = await context.files.write(await context.workspace.locate(path), after, before);
  } catch (cause) {
    return { output: `${shown} could not be written (${whyOf(cause)}).`, failed: true };
  }
  const { text } = after;
  const lines = text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
  const done = before.type === 'missing' ? 'created' : 'changed';
  return {
    output: `${shown} was ${done} (${lines} ${lines === 1 ? 'line' : 'lines'}).${note === undefined ? '' : ` ${note}`}`,
    display: patchOf(planned),
  };
}

/** What the user sees before the change. Throws where the change is not possible. */
export async function previewOf(context: ToolContext, path: string, edit: Editing): Promise<Display> {
  const planned = await plan(context, path, edit);
  if ('problem' in planned) throw new Error(planned.problem);
  return patchOf(planned);
}

async function plan(
  { workspace, files }: ToolContext,
  path: string,
  edit: Editing,
): Promise<Planned | { readonly problem: string }> {
  const real = await workspace.locate(path);
  const shown = workspace.show(real);
  const before = await files.read(real);
  const decided = edit(before, shown);
  if ('problem' in decided) return decided;
  const encoding = decided.encoding ?? (before.type === 'text' ? before.encoding : 'utf8');
  const after = { text: decided.after, encoding };
  const problem = encoding === 'bytes' ? undefined : encodingProblem(after.text, encoding);
  return problem === undefined ? { real, shown, before, after } : { problem: `${shown} ${problem}.` };
}

/** Larger texts are not compared: the comparison is quadratic at worst. */
const maxCompared = 400_000;

function patchOf({ shown: path, before, after }: Planned): Display {
  const old = before.type === 'text' ? shownText(before) : '';
  const next = shownText(after);
  const summary: Display = { type: 'text', text: `${path}: ${old.length} characters become ${next.length}` };
  if (old.length + next.length > maxCompared) return summary;
  const patch = createTwoFilesPatch(path, path, old, next, '', '', { timeout: 1000 });
  return patch === undefined ? summary : { type: 'diff', path, patch };
}

function whyOf(cause: unknown): string {
  const code = codeOf(cause);
  return code === 'unknown error' && cause instanceof Error ? cause.message : code;
}
