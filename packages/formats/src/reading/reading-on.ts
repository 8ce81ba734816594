import type { LinesFormat } from '../format.js';
import type { SessionVisitor } from '../visitor.js';
import { feedOf } from './feed.js';
import { createRecorder, VisitorError } from './recorder.js';

/** The reading of a file of a known format that starts in the middle of the file, at the beginning of a line. */
export interface ReadingOn {
  /** Takes bytes cut anywhere and does not keep them. Throws only what the visitor throws. */
  push(chunk: Buffer): void;
}

/** Unlike `createReading` it does not look at the beginning of the file: the caller knows the format. */
export function readingOn(format: LinesFormat, file: string, visitor: SessionVisitor): ReadingOn {
  const feed = feedOf(format, createRecorder(file, format, visitor), 16 * 1024 * 1024);
  return {
    push(chunk) {
      try {
        feed.push(chunk);
      } catch (cause) {
        throw cause instanceof VisitorError ? cause.cause : cause;
      }
    },
  };
}
