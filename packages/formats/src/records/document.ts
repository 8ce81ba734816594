import type { Json } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import { deepest } from './nesting.js';

export interface DocumentOptions {
  /** Bytes; a longer value is skipped without being held. */
  readonly longest: number;
  /** A member of the top-level object, or an element of the top-level array or of an array that is a member. */
  readonly onRecord: (value: Json, key: string, line: number) => void;
  /** A key of the top-level object, before its value. */
  readonly onKey?: (key: string) => void;
  readonly onLong: (key: string, line: number, bytes: number) => void;
  /** The value of one record is not valid JSON; the next one may be. */
  readonly onBroken: (key: string, line: number, reason: string) => void;
  /** The structure of the document is invalid here; nothing after this place is read. */
  readonly onStop: (line: number, reason: string) => void;
}

export interface Document {
  /** Takes bytes cut anywhere. They are not kept after the call, so the caller may reuse the buffer. */
  push(chunk: Buffer): void;
  /** The bytes have ended. Returns whether they ended at the end of the document. */
  end(): 'whole' | 'cut';
}

/** The records of a parsed document: the same, in the same order, as `createDocument` gives. */
export function* recordsOf(document: Json): Generator<{ readonly key: string; readonly value: Json }> {
  if (Array.isArray(document)) for (const value of document as readonly Json[]) yield { key: '', value };
  else if (typeof document === 'object' && document !== null)
    for (const [key, member] of Object.entries(document)) {
      if (Array.isArray(member)) for (const value of member as readonly Json[]) yield { key, value };
      else yield { key, value: member };
    }
}

/**
 * Where the cursor stands:
 *
 *     { "info" : { … } , "messages" : [ { … } , { … } ] }
 *    ↑ start   ↑ colon  ↑ comma      ↑ value of an array
 *      key      value                                   ↑ after
 */
type Place = 'start' | 'key' | 'colon' | 'value' | 'comma' | 'after' | 'stopped';

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const comma = 44;
const colon = 58;
const newline = 10;
const byteOrderMark: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);
const tooDeep = `lists and objects nest more than ${deepest} levels deep`;

/**
 * Reads one JSON document without ever holding more than one of its records: only the outermost one or two levels are
 * followed, each record is cut out and given to `JSON.parse`.
 */
export function createDocument(options: DocumentOptions): Document {
  const { longest, onRecord, onKey = () => {}, onLong, onBroken, onStop } = options;
  let place = 'start' as Place;
  let top: 'object' | 'array' | undefined;
  let key = '';
  let inMember = false; // inside an array that is a member of the top-level object
  let line = 1;

  // The value being cut out: `what` says what it is, `depth` and `inString` where in it the cursor is.
  let what: 'key' | 'record' | undefined;
  let scalar = false;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let startLine = 1;
  let pieces: Buffer[] = [];
  let held = 0;
  let dropped = false;
  let isDeep = false;

  function begin(next: 'key' | 'record', byte: number): void {
    what = next;
    depth = byte === openBrace || byte === openBracket ? 1 : 0;
    inString = byte === quote;
    scalar = depth === 0 && !inString;
    startLine = line;
  }

  /**
   * Moves through the open value from `at`. Returns where the value ends, or -1 if the chunk or the document ends
   * first.
   */
  function skim(chunk: Buffer, at: number): number {
    const { length } = chunk;
    // Local variables, because this loop sees every byte.
    let level = depth;
    let quoted = inString;
    let skip = escaped;
    let end = -1;
    while (at < length) {
      const byte = chunk[at++]!;
      if (quoted) {
        if (skip) skip = false;
        else if (byte === backslash) skip = true;
        else if (byte === quote) {
          quoted = false;
          if (level === 0) {
            end = at;
            break;
          }
        } else if (byte === newline) {
          stop('a line ends inside a string');
          break;
        }
      } else if (scalar) {
        if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 32) {
          end = at - 1;
          break;
        }
      } else if (byte === quote) quoted = true;
      else if (byte === openBrace || byte === openBracket) {
        if (++level > deepest) drop();
      } else if (byte === closeBrace || byte === closeBracket) {
        if (--level === 0) {
          end = at;
          break;
        }
      } else if (byte === newline) line++;
    }
    depth = level;
    inString = quoted;
    escaped = skip;
    return end;
  }

  /** What nests too deeply is skipped like what is too long. */
  function drop(): void {
    isDeep = true;
    dropped = true;
    pieces = [];
  }

  function keep(bytes: Buffer): void {
    held += bytes.length;
    if (dropped) return;
    if (held > longest) {
      dropped = true;
      pieces = [];
    } else pieces.push(Buffer.from(bytes));
  }

  /** The open value ends with `last`. */
  function finish(last: Buffer): void {
    let bytes = last;
    if (held > 0 || last.length > longest || dropped) {
      keep(last);
      bytes = dropped ? last : Buffer.concat(pieces, held);
    }
    const tooLong = dropped;
    const nestsTooDeeply = isDeep;
    const size = held;
    const wasKey = what === 'key';
    what = undefined;
    pieces = [];
    held = 0;
    dropped = false;
    isDeep = false;
    place = wasKey ? 'colon' : 'comma';
    if (tooLong) {
      if (wasKey) stop('a key is too long');
      else if (nestsTooDeeply) onBroken(key, startLine, tooDeep);
      else onLong(key, startLine, size);
      return;
    }
    let value: Json;
    try {
      value = JSON.parse(bytes.toString('utf8')) as Json;
    } catch (cause) {
      const reason = messageOf(cause);
      if (wasKey) stop(reason);
      else onBroken(key, startLine, reason);
      return;
    }
    if (wasKey) {
      key = value as string;
      onKey(key);
    } else onRecord(value, key, startLine);
  }

  function stop(reason: string): void {
    place = 'stopped';
    onStop(line, reason);
  }

  /** One byte of the outer levels. */
  function step(byte: number): void {
    switch (place) {
      case 'start':
        if (byte === openBrace) {
          top = 'object';
          place = 'key';
        } else if (byte === openBracket) {
          top = 'array';
          place = 'value';
        } else stop('it begins with neither { nor [');
        return;
      case 'key':
        if (byte === quote) begin('key', byte);
        else if (byte === closeBrace) place = 'after';
        else stop('a key is missing');
        return;
      case 'colon':
        if (byte === colon) place = 'value';
        else stop(`":" is missing after the key ${JSON.stringify(key)}`);
        return;
      case 'value':
        if (byte === openBracket && top === 'object' && !inMember) inMember = true;
        else if (byte === closeBracket && (top === 'array' || inMember)) close();
        else if (byte === comma || byte === colon || byte === closeBrace || byte === closeBracket)
          stop('a value is missing');
        else begin('record', byte);
        return;
      case 'comma':
        if (byte === comma) place = top === 'array' || inMember ? 'value' : 'key';
        else if (byte === closeBracket && (top === 'array' || inMember)) close();
        else if (byte === closeBrace && top === 'object' && !inMember) place = 'after';
        else stop('"," is missing');
        return;
      case 'after':
        stop('there is more after the end of the document');
    }
  }

  /** A "]" on the outer levels. */
  function close(): void {
    if (inMember) {
      inMember = false;
      place = 'comma';
    } else place = 'after';
  }

  /** Continues the open value, whose bytes in this chunk begin at `from`. Returns where to continue after it. */
  function follow(chunk: Buffer, from: number, at: number): number {
    const to = skim(chunk, at);
    if (to < 0) keep(chunk.subarray(from));
    else finish(chunk.subarray(from, to));
    return to < 0 ? chunk.length : to;
  }

  return {
    push(chunk) {
      let at = 0;
      if (what !== undefined && place !== 'stopped') at = follow(chunk, 0, 0);
      while (at < chunk.length && place !== 'stopped') {
        const byte = chunk[at++]!;
        if (byte === newline) line++;
        if (byte <= 32 || (place === 'start' && byteOrderMark.has(byte))) continue;
        step(byte);
        if (what !== undefined) at = follow(chunk, at - 1, at);
      }
    },
    end: () => (place === 'after' || place === 'stopped' ? 'whole' : 'cut'),
  };
}
