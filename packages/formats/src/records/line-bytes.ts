import { isAscii } from 'node:buffer';

/**
 * Looks into JSON that is not parsed yet. All of this rests on one fact: a quotation mark inside a JSON string has a
 * backslash before it, so that the bytes of `,"key":` can stand nowhere but where a key of that name begins.
 */
export interface TypedLine {
  readonly type: string;
  /** Where the bytes behind the type and its quotation mark begin. */
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

/** The member `"type":"…"` of an object that begins the line, where only plain values stand before it. */
export function typeOn(line: Buffer): TypedLine | undefined {
  const at = line.indexOf('"type":"');
  if (at < 1 || line[0] !== openBrace) return undefined;
  const inner = line.indexOf(openBrace, 1);
  return inner >= 0 && inner < at ? undefined : stringAt(line, at + 8);
}

/** The string whose content begins at `from`, if it is short and plain. */
export function stringAt(line: Buffer, from: number): TypedLine | undefined {
  const end = line.indexOf(quote, from);
  if (end < 0 || end - from > longestType) return undefined;
  const type = line.toString('latin1', from, end);
  return type.includes('\\') ? undefined : { type, end: end + 1 };
}

/** Whether these bytes stand at this place. */
export function standsAt(line: Buffer, at: number, text: string): boolean {
  return line.length >= at + text.length && line.toString('latin1', at, at + text.length) === text;
}

/**
 * Where the last members of the object that ends the line begin, with the comma before them, as far as they are plain
 * values: behind the last member that is a list or an object, or behind the member that begins at `first`. Undefined
 * where a string among them is not plain.
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

/** The text of bytes of which most are ASCII. */
export function textOfBytes(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
