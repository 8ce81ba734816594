import type { ToolOutcome } from '../tool.js';

export interface Part {
  /** The first line, from 1. */
  readonly offset: number;
  /** How many lines at most. */
  readonly limit: number;
  /** How many characters at most. */
  readonly most: number;
}

/** A longer line is cut. */
const maxLine = 2000;

/** Lines with their numbers, and a note on what is not shown. */
export function numbered(text: string, { offset, limit, most }: Part): ToolOutcome {
  if (text === '') return { output: '(the file is empty)' };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > lines.length)
    return { output: `The file has ${lines.length} lines; there is no line ${offset}.`, failed: true };
  const shown: string[] = [];
  let size = 0;
  for (let at = offset; at < offset + limit && at <= lines.length; at++) {
    const line = `${at}→${cutLine(lines[at - 1]!.replace(/\r$/, ''))}`;
    if (size + line.length > most && shown.length > 0) break;
    shown.push(line);
    size += line.length + 1;
  }
  const next = offset + shown.length;
  if (next <= lines.length)
    shown.push(`[Lines ${offset} to ${next - 1} of ${lines.length}. Read on with offset ${next}.]`);
  return { output: shown.join('\n') };
}

function cutLine(line: string): string {
  return line.length <= maxLine ? line : `${line.slice(0, maxLine)} [${line.length - maxLine} more characters]`;
}
