import { isAscii, isUtf8 } from 'node:buffer';

export interface LinesOptions {
  /** Bytes; a longer line is skipped without being held. */
  readonly longest: number;
  /**
   * Called with the bytes of each long line before they are decoded, without the line end. They are valid during the call
   * only. Returns whether it handled the line, which is then not decoded and not passed to `onLine`.
   */
  readonly glance?: ((bytes: Buffer, line: number) => boolean) | undefined;
  /** Every line that is not blank, without its end; `line` is 1-based. */
  readonly onLine: (text: string, line: number) => void;
  readonly onLong: (line: number, bytes: number) => void;
  /** The line has bytes that are not UTF-8; they were replaced by U+FFFD. */
  readonly onBadBytes: (line: number) => void;
}

export interface Lines {
  /** Takes bytes cut anywhere. They are not kept after the call, so the caller may reuse the buffer. */
  push(chunk: Buffer): void;
  /** The bytes have ended; what follows the last line end is a line, too. */
  end(): void;
}

const newline = 10;
/** For a shorter line, `glance` costs as much as reading it. */
const worthAGlance = 200;

/** Cuts bytes into lines: ends are LF or CRLF, a byte order mark is dropped, memory is bounded by the longest line. */
export function createLines({ longest, glance, onLine, onLong, onBadBytes }: LinesOptions): Lines {
  let line = 1;
  let plain = false; // the bytes at hand are ASCII, which needs no decoding
  let pieces: Buffer[] = [];
  let held = 0;
  let dropped = 0;

  function whole(bytes: Buffer, from: number, to: number): void {
    if (line === 1 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    if (to > from && bytes[to - 1] === 13) to--;
    if (to - from > longest) onLong(line, to - from);
    else if (to > from) {
      const seen = glance !== undefined && to - from >= worthAGlance && glance(bytes.subarray(from, to), line);
      if (!seen) read(bytes, from, to);
    }
    line++;
  }

  function read(bytes: Buffer, from: number, to: number): void {
    const text = bytes.toString(plain ? 'latin1' : 'utf8', from, to);
    if (!plain && text.includes('\uFFFD') && !isUtf8(bytes.subarray(from, to))) onBadBytes(line);
    if (text.length > 64 || text.trim() !== '') onLine(text, line);
  }

  /** The line that began in earlier chunks ends at `to`. */
  function join(chunk: Buffer, to: number): void {
    if (dropped > 0) {
      onLong(line++, dropped + to);
    } else {
      pieces.push(chunk.subarray(0, to));
      const bytes = Buffer.concat(pieces, held + to);
      plain = isAscii(bytes);
      whole(bytes, 0, bytes.length);
    }
    pieces = [];
    held = 0;
    dropped = 0;
  }

  /** Keeps what follows the last line end. */
  function hold(rest: Buffer): void {
    if (dropped > 0) dropped += rest.length;
    else if (held + rest.length > longest + 2) {
      dropped = held + rest.length;
      pieces = [];
      held = 0;
    } else if (rest.length > 0) {
      pieces.push(Buffer.from(rest));
      held += rest.length;
    }
  }

  return {
    push(chunk) {
      let from = 0;
      let to = chunk.indexOf(newline);
      if (to >= 0 && (held > 0 || dropped > 0)) {
        join(chunk, to);
        from = to + 1;
        to = chunk.indexOf(newline, from);
      }
      if (to >= 0) plain = isAscii(chunk);
      for (; to >= 0; to = chunk.indexOf(newline, from)) {
        whole(chunk, from, to);
        from = to + 1;
      }
      hold(from === 0 ? chunk : chunk.subarray(from));
    },
    end() {
      if (held > 0 || dropped > 0) join(Buffer.alloc(0), 0);
    },
  };
}
