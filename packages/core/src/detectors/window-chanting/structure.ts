/** What one delta, read by itself, shows about the structure of the text. */
export interface Structure {
  /** How many code fences are in it. */
  readonly fences: number;
  /** It consists only of characters that a ruled line may consist of. */
  readonly divider: boolean;
  /** A table, a list item, a heading or a quotation begins in it. */
  readonly element: boolean;
}

/**
 * Reads a delta as Gemini CLI and Qwen Code do, bugs included: `-` does not begin a list item, and digits, capitals and
 * most punctuation count as a ruled line.
 */
export function readStructure(text: string): Structure {
  return { fences: countFences(text), divider: isDivider(text), element: opensElement(text) };
}

function countFences(text: string): number {
  let count = 0;
  for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at + 3)) count++;
  return count;
}

function isDivider(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const ruled = (code >= star && code <= underscore) || (code >= 0x2500 && code <= 0x257f);
    if (!ruled) return false;
  }
  return text !== '';
}

function opensElement(text: string): boolean {
  let line = 0;
  do {
    if (opensAt(text, line)) return true;
    line = text.indexOf('\n', line) + 1;
  } while (line > 0);
  return false;
}

function opensAt(text: string, line: number): boolean {
  const first = text.charCodeAt(line);
  if (first === hash && isSpace(text.charCodeAt(endOfRun(text, line, isHash)))) return true;
  if (first === quotation && isSpace(text.charCodeAt(line + 1))) return true;
  let at = line;
  while (isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== newline) at++;
  const code = text.charCodeAt(at);
  if (isTableMark(code)) {
    if (endOfRun(text, at, isTableMark) >= at + 3) return true;
    if (code === bar && hasBar(text, at + 1)) return true;
  }
  if (code === star || code === plus) return isSpace(text.charCodeAt(at + 1));
  if (!isDigit(code)) return false;
  const dot = endOfRun(text, at, isDigit);
  return text.charCodeAt(dot) === period && isSpace(text.charCodeAt(dot + 1));
}

/** Whether there is a bar between here and the end of the line. */
function hasBar(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === bar) return true;
    if (code === newline || code === 13 || code === 0x2028 || code === 0x2029) return false;
  }
  return false;
}

function endOfRun(text: string, from: number, belongs: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && belongs(text.charCodeAt(at))) at++;
  return at;
}

const newline = 10;
const hash = 35;
const star = 42;
const plus = 43;
const hyphen = 45;
const period = 46;
const quotation = 62;
const underscore = 95;
const bar = 124;

function isHash(code: number): boolean {
  return code === hash;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isTableMark(code: number): boolean {
  return code === bar || code === plus || code === hyphen;
}

/** White space as in regular expressions and `trim`. False for NaN, the `charCodeAt` of any place outside the text. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
