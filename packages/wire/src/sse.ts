import type { Json } from 'loopfuse';

/** One server-sent event with its bytes. The bytes of all frames, and of the rest, make up the stream. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly event?: string;
  /** Missing if there is none: in comments, blank lines, and frames that are too large to be read. */
  readonly data?: string;
}

export interface FrameReader {
  /** The frames that these bytes complete. */
  push(bytes: Uint8Array): readonly Frame[];
  /** What is left when the stream ends: a complete frame whose end was not certain before, or an incomplete one. */
  end(): readonly Frame[];
}

/** A frame without an end is not kept for ever: a longer one is passed on unread. */
const maxFrameBytes = 8 * 2 ** 20;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Cuts a stream of bytes, cut anywhere, into server-sent events.
 *
 *     data: 1 LF LF data: 2 CR LF CR LF : ping LF LF
 *     └─────────┘└─────────────────────┘└──────────┘
 *
 * A CR at the very end of a push waits for the next byte, which may be the LF that belongs to it.
 */
export function createFrameReader(maxBytes = maxFrameBytes): FrameReader {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let blank = true; // the current line is empty so far
  let afterReturn: 'no' | 'line' | 'frame' = 'no'; // the last byte was a CR, which ended a line, or a frame
  let unread = false; // the current frame is larger than we keep

  function take(frames: Frame[], bytes: Uint8Array, whole: boolean): void {
    pieces.push(bytes);
    size += bytes.length;
    if (!whole && size <= maxBytes) return;
    const all = pieces.length === 1 ? bytes : joined(pieces, size);
    if (all.length > 0) frames.push(unread || !whole ? { bytes: all } : frameOf(all));
    unread = !whole;
    pieces = [];
    size = 0;
  }

  return {
    push(bytes) {
      const frames: Frame[] = [];
      let from = 0;
      if (afterReturn === 'no' && bytes.indexOf(carriageReturn) < 0) {
        // All lines end in LF only, the usual case: does the same as below, but jumps from one LF to the next.
        for (let line = 0; ; ) {
          const end = bytes.indexOf(lineFeed, line);
          if (end < 0) {
            if (line < bytes.length) blank = false;
            break;
          }
          const ends = blank && end === line;
          blank = true;
          line = end + 1;
          if (!ends) continue;
          take(frames, bytes.subarray(from, line), true);
          from = line;
        }
        if (from < bytes.length) take(frames, bytes.slice(from), false);
        return frames;
      }
      for (let k = 0; k < bytes.length; k++) {
        const byte = bytes[k]!;
        const before = afterReturn;
        afterReturn = 'no';
        if (before !== 'no' && byte === lineFeed) {
          if (before === 'line') continue;
          take(frames, bytes.subarray(from, k + 1), true);
          from = k + 1;
          continue;
        }
        if (before === 'frame') {
          take(frames, bytes.subarray(from, k), true);
          from = k;
        }
        if (byte !== lineFeed && byte !== carriageReturn) {
          blank = false;
          continue;
        }
        const ends = blank;
        blank = true;
        if (byte === carriageReturn) afterReturn = ends ? 'frame' : 'line';
        else if (ends) {
          take(frames, bytes.subarray(from, k + 1), true);
          from = k + 1;
        }
      }
      if (from < bytes.length) take(frames, bytes.slice(from), false);
      return frames;
    },
    end() {
      const frames: Frame[] = [];
      if (afterReturn === 'frame') take(frames, new Uint8Array(), true);
      else if (size > 0) frames.push({ bytes: joined(pieces, size) });
      pieces = [];
      size = 0;
      return frames;
    },
  };
}

/** Reads server-sent events from bytes that are cut anywhere. An unfinished event is dropped. */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly event?: string; readonly data: string }> {
  const reader = createFrameReader();
  for await (const chunk of bytes) for (const frame of reader.push(chunk)) if (isEvent(frame)) yield eventOf(frame);
  for (const frame of reader.end()) if (isEvent(frame)) yield eventOf(frame);
}

/** One server-sent event, as text. */
export function sse(data: Json, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

type DataFrame = Frame & { readonly data: string };

function isEvent(frame: Frame): frame is DataFrame {
  return frame.data !== undefined;
}

function eventOf({ event, data }: DataFrame) {
  return { ...(event === undefined ? {} : { event }), data };
}

const decoder = new TextDecoder();

function frameOf(bytes: Uint8Array): Frame {
  const text = decoder.decode(bytes);
  // Most frames are one line of data and a blank line.
  if (
    text.startsWith('data: ') &&
    text.indexOf('\n') === text.length - 2 &&
    text.endsWith('\n\n') &&
    !text.includes('\r')
  )
    return { bytes, data: text.slice(6, -2) };
  return { bytes, ...fieldsIn(text) };
}

/** The fields in the lines of one frame. */
function fieldsIn(text: string): { readonly event?: string; readonly data?: string } {
  const data: string[] = [];
  let event: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line === 'data') data.push('');
    else if (line.startsWith('event:')) event = line.slice(line[6] === ' ' ? 7 : 6);
  }
  return { ...(event === undefined ? {} : { event }), ...(data.length === 0 ? {} : { data: data.join('\n') }) };
}

/** The data of the frames in a text that consists of complete frames. Lines end in LF or CR LF. */
export function dataIn(frames: string): string[] {
  const text = frames.includes('\r') ? frames.replaceAll('\r\n', '\n') : frames;
  const found: string[] = [];
  for (const frame of text.split('\n\n')) {
    const line = frame.lastIndexOf('\n') + 1;
    // Most frames are one line of data, maybe after a line with the name of the event.
    if (
      frame.startsWith('data: ', line) &&
      (line === 0 || (frame.startsWith('event:') && frame.indexOf('\n') === line - 1))
    )
      found.push(frame.slice(line + 6));
    else {
      const { data } = fieldsIn(frame);
      if (data !== undefined) found.push(data);
    }
  }
  return found;
}

/** Where the last complete frame in these bytes ends; 0 if there is none. Lines end in LF or CR LF. */
export function framesEnd(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 1; ) {
    const at = bytes.lastIndexOf(lineFeed, end - 1);
    if (at < 1) return 0;
    if (endsFrame(bytes, at)) return at + 1;
    end = at;
  }
  return 0;
}

/** Where the frame that contains `from` ends; -1 if its end is not there yet. */
export function frameEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
    if (endsFrame(bytes, at)) return at + 1;
  return -1;
}

/** Whether the line feed at `at` ends a blank line. */
function endsFrame(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1];
  return before === lineFeed || (before === carriageReturn && bytes[at - 2] === lineFeed);
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
