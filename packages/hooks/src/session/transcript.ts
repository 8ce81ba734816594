import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type LinesFormat, readingOn } from '@loopfuse/formats';
import type { AgentEvent } from 'loopfuse';

/** How far a transcript was read: always to the end of a line. */
export interface Bookmark {
  readonly path: string;
  readonly offset: number;
}

/** If more than this was written since the last hook, only the end of it is read. */
const mostBytes = 1024 * 1024;
/**
 * This many lines before the bookmark, if they are not too long, are read again without reporting their events: agents
 * write one message in several lines, and some write it again whenever it grows, so the translator needs the last ones
 * to know what is new.
 */
const overlapLines = 12;
const overlapBytes = 64 * 1024;
/** If a pipe or device is there in place of a file, a hook must not wait for it. Windows lacks the flag. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads what the agent wrote since the bookmark and reports the text and the reasoning in it. Calls, results and
 * prompts are left out: the hooks report those. Throws when the file cannot be read.
 */
export function readOn(
  format: LinesFormat,
  bookmark: Bookmark,
  onEvent: (event: AgentEvent) => void,
): { readonly bookmark: Bookmark; readonly skipped: number } {
  const { path } = bookmark;
  const descriptor = openSync(path, withoutWaiting);
  try {
    const { size } = fstatSync(descriptor);
    if (size < bookmark.offset) return { bookmark: { path, offset: size }, skipped: 0 }; // it was rewritten
    if (size === bookmark.offset) return { bookmark, skipped: 0 };
    const offset = Math.max(bookmark.offset, size - mostBytes);
    const from = offset === bookmark.offset ? Math.max(0, offset - overlapBytes) : offset;
    const bytes = slice(descriptor, from, size);
    const known = bytes.subarray(0, offset - from);
    const fresh = bytes.subarray(offset - from, bytes.lastIndexOf(newline) + 1);
    if (fresh.length === 0) return { bookmark, skipped: 0 };
    let reporting = false;
    const reading = readingOn(format, path, { onEvent: (event) => reporting && isOurs(event) && onEvent(event) });
    reading.push(lastLines(known, from === 0));
    reporting = true;
    // If bytes were skipped, it begins inside a line, which cannot be read.
    reading.push(offset === bookmark.offset ? fresh : fresh.subarray(fresh.indexOf(newline) + 1));
    return {
      bookmark: { path, offset: offset + fresh.length },
      skipped: offset - bookmark.offset,
    };
  } finally {
    closeSync(descriptor);
  }
}

/** The current end of the transcript, or its beginning if the file does not exist yet. */
export function endOf(path: string): Bookmark {
  try {
    const descriptor = openSync(path, withoutWaiting);
    try {
      return { path, offset: fstatSync(descriptor).size };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { path, offset: 0 };
  }
}

const newline = 10;

/** The last lines of what was read before, which ends with a line break. A cut first line is left out. */
function lastLines(known: Buffer, isWhole: boolean): Buffer {
  let at = known.length - 1;
  for (let lines = 0; lines < overlapLines && at > 0; lines++) at = known.lastIndexOf(newline, at - 1);
  if (at > 0) return known.subarray(at + 1);
  return isWhole ? known : known.subarray(known.indexOf(newline) + 1);
}

function slice(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function isOurs({ type }: AgentEvent): boolean {
  switch (type) {
    case 'text':
    case 'reasoning':
    case 'compaction':
    case 'usage':
      return true;
    case 'turn-start': // a transcript is written late: the turn of a call under way would begin after the call, and drop it
    case 'turn-end':
    case 'retry':
    case 'prompt':
    case 'tool-call':
    case 'tool-result':
    case 'steer':
    case 'opinion':
      return false;
  }
}
