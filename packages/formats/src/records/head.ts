import type { Json } from 'loopfuse';
import { createDocument, recordsOf } from './document.js';
import { gluedObjects } from './glued.js';
import { createLines } from './lines.js';
import { parseDocument } from './parse-document.js';

/** The beginning of a file, by which its format is chosen. */
export interface Head {
  /**
   * The name of the file without its folders. Formats are chosen by content, and by the name only if that is ambiguous.
   */
  readonly name: string;
  readonly bytes: Buffer;
  /** The JSON objects and arrays among the first lines; empty if the file is one JSON document over many lines. */
  readonly lines: readonly Json[];
  /** The first records of the file as one JSON document (see `DocumentFormat`); undefined if it is not one. */
  readonly document: DocumentHead | undefined;
}

export interface DocumentHead {
  readonly top: 'object' | 'array';
  /** The keys of the top-level object. */
  readonly keys: ReadonlySet<string>;
  readonly records: readonly { readonly key: string; readonly value: Json }[];
  /** The whole document, if the head is the whole file. */
  readonly whole?: Json;
}

const newline = 10;
const openBrace = 123;
const openBracket = 91;
/** A file with more lines than this that look like JSON but are not is not a log. */
const mostBroken = 100;
/** A head is read in slices of this size until it has enough records. */
const sliceBytes = 4096;

/** Reads a head of at most `most` records from the first bytes of a file; `ended` if there are no more bytes. */
export function headOf(name: string, bytes: Buffer, ended: boolean, most = 4): Head {
  const document = documentOf(bytes, ended, most);
  const lines = linesOf(bytes, ended, document !== undefined, most);
  // The first line is not complete: its first members are known.
  if (lines.length === 0 && document?.top === 'object' && !bytes.includes(newline))
    lines.push(Object.fromEntries(document.records.map(({ key, value }) => [key, value])));
  return { name, bytes, lines, document };
}

/** Whether a head is enough to choose a format, so that no more bytes need be gathered. */
export function isTelling({ bytes, lines, document }: Head): boolean {
  const begun = document !== undefined && document.records.length > 0;
  // An object on an incomplete line may be a document, or the first of many lines.
  return bytes.includes(newline) ? begun || lines.length > 0 : begun && document.top === 'array';
}

function linesOf(bytes: Buffer, ended: boolean, isDocument: boolean, most: number): Json[] {
  const found: Json[] = [];
  const end = ended ? bytes.length : bytes.lastIndexOf(newline) + 1;
  let first = true;
  let give = true;
  let broken = 0;
  const lines = createLines({
    longest: bytes.length,
    onLine(text) {
      if (!give || found.length >= most) return;
      const looksLikeJson = beginsLikeJson(text);
      const values = looksLikeJson ? valuesOn(text) : [];
      if (values.length > 0) found.push(...values);
      // Lines inside a document spread over many lines may be JSON by chance.
      else if (first && isDocument) give = false;
      else if (looksLikeJson && ++broken > mostBroken) give = false;
      first = false;
    },
    onLong() {},
    onBadBytes() {},
  });
  for (let at = 0; at < end && give && found.length < most; at += sliceBytes)
    lines.push(bytes.subarray(at, Math.min(at + sliceBytes, end)));
  if (give && found.length < most) lines.end();
  return found;
}

function documentOf(bytes: Buffer, ended: boolean, most: number): DocumentHead | undefined {
  const start = bytes.find((byte, at) => byte > 32 && !(at < 3 && byte > 127));
  if (start !== openBrace && start !== openBracket) return undefined;
  const keys = new Set<string>();
  const records: { key: string; value: Json }[] = [];
  let stopped = false;
  const document = createDocument({
    longest: bytes.length,
    onKey: (key) => void keys.add(key),
    onRecord: (value, key) => void records.push({ key, value }),
    onLong() {},
    onBroken() {},
    onStop() {
      stopped = true;
    },
  });
  const top = start === openBracket ? 'array' : 'object';
  for (let at = 0; at < bytes.length && !stopped && records.length < most; at += sliceBytes) {
    document.push(bytes.subarray(at, at + sliceBytes));
    // If there was no error so far it is probably one document, and parsing all of it is faster.
    const whole = at === 0 && ended && !stopped ? parseDocument(textOf(bytes)) : undefined;
    if (whole !== undefined) return { top, whole, ...headOfWhole(whole, most) };
  }
  return stopped ? undefined : { top, keys, records };
}

function headOfWhole(whole: Json, most: number): Pick<DocumentHead, 'keys' | 'records'> {
  const records: { key: string; value: Json }[] = [];
  for (const record of recordsOf(whole)) if (records.push(record) >= most) break;
  return { keys: new Set(Array.isArray(whole) ? [] : Object.keys(whole as object)), records };
}

function valuesOn(line: string): readonly Json[] {
  const value = parseDocument(line);
  return value === undefined ? (gluedObjects(line)?.values ?? []) : [value];
}

/** An exception of `JSON.parse` is expensive, and most foreign files are recognised by their first character. */
function beginsLikeJson(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32) return code === openBrace || code === openBracket;
  }
  return false;
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}
