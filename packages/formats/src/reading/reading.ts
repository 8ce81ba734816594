import { basename } from 'node:path';
import { messageOf } from 'loopfuse/words';
import type { FileFormat, Format } from '../format.js';
import { type Head, headOf, isTelling } from '../records/head.js';
import type { SourceEnd } from '../records/source.js';
import { createUtf8 } from '../records/utf16.js';
import type { ReadOptions, ReadSummary, SessionVisitor } from '../visitor.js';
import { type Feed, feedOf, feedWhole } from './feed.js';
import { createRecorder, type FileRecorder, VisitorError } from './recorder.js';

/** The reading of one file whose bytes come in pieces: from a disk, or from an agent that is still writing. */
export interface Reading {
  /** Takes bytes cut anywhere and does not keep them. Returns whether more are wanted. */
  push(chunk: Buffer): boolean;
  /** Chooses a format by the bytes so far, if they are enough. Until then, and up to 64 kB, nothing is translated. */
  settle(): void;
  /** The files that continue this one, now that its format is known (see `LinesFormat.parts`). */
  parts(): readonly string[];
  /**
   * This file has ended, and `part`, one of its parts, begins: bytes that are pushed from now on belong to the part.
   */
  begin(part: string, problem?: Problem): void;
  /** The file has ended. */
  end(problem?: Problem): Promise<ReadSummary>;
}

/** Why a file could not be read to its end. */
type Problem = NonNullable<SourceEnd['problem']>;

const headBytes = 64 * 1024;
const maxHeadBytes = 8 * 1024 * 1024;

/** Throws only for wrong options, and what the visitor throws. */
export function createReading(
  formats: readonly Format[],
  file: string,
  visitor: SessionVisitor,
  { longestLine = 64 * 1024 * 1024 }: ReadOptions = {},
): Reading {
  if (!Number.isInteger(longestLine) || longestLine < 1)
    throw new RangeError(`createReading: longestLine must be a positive integer, got ${longestLine}`);
  let utf8 = createUtf8();
  let head: Buffer[] | undefined = [];
  let bytes = 0; // as UTF-8
  let taken = 0; // as they came
  let looked = 0;
  let recorder: FileRecorder | undefined;
  let feed: Feed | undefined;
  let whole: FileFormat | undefined;
  let chosen: Format | undefined;

  /** Chooses a format if the gathered bytes are enough. Returns whether more are wanted. */
  function choose(ended: boolean, gathered: Buffer = Buffer.concat(head!, bytes)): boolean {
    looked = bytes;
    const name = basename(file);
    const seen = headOf(name, gathered, ended);
    if (!ended && bytes < maxHeadBytes && !isTelling(seen) && startsLikeJson(gathered)) return true;
    head = undefined;
    // A few records identify most formats; otherwise more are looked at.
    let format = formats.find((one) => claims(one, seen));
    if (format === undefined && startsLikeJson(gathered)) {
      const more = headOf(name, gathered, ended, 200);
      format = formats.find((one) => claims(one, more));
    }
    recorder = createRecorder(file, format ?? {}, visitor);
    chosen = format;
    if (format === undefined) recorder.report('not-a-session', whatItIs(gathered));
    else if (format.shape === 'file') whole = format;
    else if (format.shape === 'document' && seen.document?.whole !== undefined)
      feedWhole(format, recorder, seen.document.whole);
    else {
      feed = feedOf(format, recorder, longestLine);
      feed.push(gathered);
    }
    return feed !== undefined;
  }

  function push(chunk: Buffer): boolean {
    if (chunk.length === 0) return head !== undefined || feed !== undefined;
    bytes += chunk.length;
    if (head === undefined) {
      feed?.push(chunk);
      return feed !== undefined;
    }
    // A file is read in pieces that are longer than the head: the first is not copied if it is enough.
    if (bytes === chunk.length && bytes >= headBytes && (!choose(false, chunk) || head === undefined))
      return feed !== undefined;
    head.push(Buffer.from(chunk));
    return bytes >= headBytes && bytes >= looked * 2 ? choose(false) : true;
  }

  /** Reads what was held back of the file that ends. */
  function finishFile(): void {
    push(utf8.end());
    utf8 = createUtf8();
    if (head !== undefined) choose(true);
  }

  function report(problem: Problem | undefined): void {
    if (problem?.kind === 'unreadable') recorder!.report('unreadable', `it could not be read: ${problem.message}`);
    if (problem?.kind === 'cut')
      recorder!.report(
        'cut',
        `it could not be unpacked to its end (${problem.message}); everything before it was read`,
      );
  }

  return {
    push: plainly((chunk: Buffer) => {
      taken += chunk.length;
      return push(utf8.push(chunk));
    }),
    settle: plainly(() => {
      if (head !== undefined && bytes > 0) choose(false);
    }),
    parts: plainly(() => {
      finishFile();
      return chosen?.shape === 'lines' ? (chosen.parts?.(file) ?? []) : [];
    }),
    begin: plainly((part: string, problem?: Problem) => {
      finishFile();
      feed?.next?.();
      report(problem);
      recorder!.part = part;
    }),
    async end(problem) {
      try {
        if (problem === undefined) finishFile();
        else if (head !== undefined && bytes > 0) choose(true);
        recorder ??= createRecorder(file, {}, visitor);
        if (whole) await readWhole(whole, recorder);
        feed?.end();
        report(problem);
        recorder.finish();
        return recorder.summary(taken);
      } catch (cause) {
        throw cause instanceof VisitorError ? cause.cause : cause;
      }
    },
  };
}

/** Rethrows what the visitor threw, without its wrapper. */
function plainly<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    try {
      return work(...args);
    } catch (cause) {
      throw cause instanceof VisitorError ? cause.cause : cause;
    }
  };
}

async function readWhole(format: FileFormat, recorder: FileRecorder): Promise<void> {
  try {
    if (await format.read(recorder)) return;
    recorder.format = undefined;
    recorder.report('not-a-session', 'it is not a session log: it is a database or a document of another kind');
  } catch (cause) {
    if (cause instanceof VisitorError) throw cause;
    recorder.report('unreadable', `it could not be read: ${messageOf(cause)}`);
  }
}

/** A format whose `sniff` throws on foreign data does not recognise it. */
function claims(format: Format, head: Head): boolean {
  try {
    return format.sniff(head);
  } catch {
    return false;
  }
}

function startsLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte, at) => byte > 32 && !(at < 3 && byte > 127));
  return first === 123 || first === 91;
}

function whatItIs(bytes: Buffer): string {
  if (bytes.length === 0) return 'it is not a session log: the file is empty';
  if (bytes.includes(0)) return 'it is not a session log: it is a binary file';
  return 'it is not a session log of a known format';
}
