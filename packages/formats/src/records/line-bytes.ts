import { isAscii } from 'node:buffer';

/**
 * A type that was found in JSON that is not parsed yet. This is possible because a quotation mark inside a JSON string
 * has a backslash before it: the bytes of `,"key":` can only be where a key of that name begins.
 */
export interface TypedLine {
  readonly type: string;
  /** The place after the type and its quotation mark. */
  readonly end: number;
}

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const longestType = 64;

/** The member `"type":"…"` of the object that begins the line, if only plain values are before it. */
export function typeOn(line: Buffer): TypedLine | undefined {
  const at = line.indexOf('"type":"');
  if (at < 1 || line[0] !== openBrace) return undefined;
  const inner = line.indexOf(openBrace, 1);
  return inner >= 0 && inner < at ? undefined : stringAt(line, at + 8);
}

/** The string whose content begins at `from`, if it is short and has no escapes. */
export function stringAt(line: Buffer, from: number): TypedLine | undefined {
  const end = line.indexOf(quote, from);
  if (end < 0 || end - from > longestType) return undefined;
  const type = line.toString('latin1', from, end);
  return type.includes('\\') ? undefined : { type, end: end + 1 };
}

/** Whether the line has this text at this place. */
export function standsAt(line: Buffer, at: number, text: string): boolean {
  return line.length >= at + text.length && line.toString('latin1', at, at + text.length) === text;
}

/**
 * Where the last plain members of the object that ends the line begin, including the comma before them: after the last
 * member that is a list or an object, or after the member that begins at `first`. Undefined if a string among them has
 * escapes.
 *
 *     {"a":1,"big":{ … },"b":"x","c":true}
 *           ↑ first     ↑ the answer
 */
export function lastPlainMembers(line: Buffer, first: number): number | undefined {
  let end = line.length - 1;
  for (;;) {
    const last = line[end - 1];
    if (last === closeBrace || last === closeBracket) return end;
    let start = end - 1;
    if (last === quote) {
      start = line.lastIndexOf(quote, end - 2);
      if (start < 0 || line.subarray(start, end).includes(backslash)) return undefined;
    } else while (start > first && line[start - 1] !== colon) start--;
    if (line[start - 1] !== colon || line[start - 2] !== quote) return undefined;
    const key = line.lastIndexOf(quote, start - 3);
    if (key < 1 || line[key - 1] !== comma || key - 1 < first) return undefined;
    if (key - 1 === first) return end;
    end = key - 1;
  }
}

/** Decodes bytes that are mostly ASCII. */
export function textOfBytes(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
