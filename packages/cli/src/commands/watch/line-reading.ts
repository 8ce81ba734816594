import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import {
  createReading,
  type Format,
  formats,
  type Head,
  headOf,
  packingOf,
  type SessionVisitor,
} from '@loopfuse/formats';

/** Reads a file that grows at its end, as far as it has grown. */
export interface LineReading {
  /** Reads on, at most to the byte `end`. */
  more(path: string, end?: number): void;
  /** Whether what was read is still there, so that reading can go on behind it. */
  goesOn(path: string, size: number): boolean;
}

const chunkBytes = 256 * 1024;
/** So much before the place that was read to must be as it was, or the file was rewritten. */
const tailBytes = 256;
const headBytes = 1024 * 1024;

export function createLineReading(file: string, onEvent: SessionVisitor['onEvent']): LineReading {
  const reading = createReading(formats, file, { onEvent });
  let offset = 0;
  let tail: Buffer = Buffer.alloc(0);
  return {
    more(path, end = Number.POSITIVE_INFINITY) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      withFile(path, (descriptor) => {
        while (offset < end) {
          const count = readSync(descriptor, buffer, 0, Math.min(chunkBytes, end - offset), offset);
          if (count === 0) break;
          const chunk = buffer.subarray(0, count);
          offset += count;
          tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
          reading.push(chunk);
        }
        tail = Buffer.from(tail);
      });
      reading.settle();
    },
    goesOn(path, size) {
      if (size < offset) return false;
      const there = Buffer.alloc(tail.length);
      withFile(path, (descriptor) => readSync(descriptor, there, 0, there.length, offset - there.length));
      return there.equals(tail);
    },
  };
}

/** Whether a file is made of lines, to which more are added; documents, databases and packed files are rewritten. */
export function growsByLines(path: string): boolean {
  const { head, isAll } = withFile(path, (descriptor) => {
    const buffer = Buffer.allocUnsafe(headBytes);
    const count = readSync(descriptor, buffer, 0, buffer.length, 0);
    return { head: buffer.subarray(0, count), isAll: count >= fstatSync(descriptor).size };
  });
  const end = head.indexOf('\n');
  if (end < 0 || head.subarray(0, end).includes(0) || packingOf(head) !== undefined) return false;
  const seen = headOf(basename(path), head, isAll);
  const format = formats.find((one) => claims(one, seen));
  // What nobody knows yet may be a log that has hardly begun.
  return format === undefined ? seen.document === undefined : format.shape === 'lines' || format.shape === 'text';
}

function claims(format: Format, head: Head): boolean {
  try {
    return format.sniff(head);
  } catch {
    return false;
  }
}

function withFile<Result>(path: string, use: (descriptor: number) => Result): Result {
  const descriptor = openSync(path, 'r');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
