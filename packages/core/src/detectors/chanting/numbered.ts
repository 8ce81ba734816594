/**
 * Whether the lines of a text repeat after `count` lines with only their number changed: entries of a list, or rows of
 * a table. The text may begin and end within a line.
 */
export function isNumberedAgain(text: string, count: number): boolean {
  const lines = text.split('\n').slice(1, -1);
  if (lines.length <= count) return false;
  for (let k = count; k < lines.length; k++) {
    const rest = withoutNumber(lines[k]!);
    if (rest === undefined || rest !== withoutNumber(lines[k - count]!)) return false;
  }
  return true;
}

function withoutNumber(line: string): string | undefined {
  const number = numberOfLine.exec(line);
  return number ? line.slice(number[0].length) : undefined;
}

/** `12. `, `12) ` or `| 12 |`. */
const numberOfLine = /^[ *#>-]*(?:\| ?)?\d+ ?[.)|]/;
