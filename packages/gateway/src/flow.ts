import type { Readable } from 'node:stream';

export interface Flow {
  pause(): void;
  resume(): void;
  /** Nothing more is passed on. The source stays open, for other code to read on or to destroy. */
  leave(): void;
}

export interface FlowEvents {
  data(bytes: Uint8Array): void;
  end(): void;
  /** The stream broke off. */
  fail(cause: unknown): void;
}

/** The bytes of a stream, one piece at a time. If it broke off, everything that came is returned before the error. */
export async function* bytesOf(source: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    yield* leftIn(source);
    throw cause;
  }
}

/** The beginning of an unread stream; empty if it ends or breaks off first. The bytes stay in the stream. */
export async function beginningOf(source: Readable): Promise<string> {
  if (source.readableLength === 0 && !source.readableEnded && !source.destroyed)
    await new Promise<void>((resolve) => {
      const events = ['readable', 'end', 'error', 'close'] as const;
      const done = () => {
        for (const event of events) source.off(event, done);
        resolve();
      };
      for (const event of events) source.on(event, done);
    });
  const bytes = (source.read() as Uint8Array | null) ?? new Uint8Array();
  if (bytes.length > 0 && !source.destroyed) source.unshift(bytes);
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1').trimStart();
}

/** What arrived before a stream broke off and was not read yet. Node does not pass it on in any other way. */
function leftIn(source: Readable): Uint8Array[] {
  const left: Uint8Array[] = [];
  for (let bytes = source.read(); bytes !== null; bytes = source.read()) left.push(bytes);
  return left;
}

/**
 * Passes on the bytes of a stream as they arrive. Pieces that arrive together are joined: else each chunk of an HTTP
 * body would be a separate event, and a separate write to the client.
 */
export function flow(source: Readable, { data, end, fail }: FlowEvents): Flow {
  let together: Uint8Array[] = []; // arrived within one turn of the event loop
  let left = false;

  function collect(bytes: Uint8Array): void {
    if (together.push(bytes) === 1) process.nextTick(give);
  }
  function give(): void {
    if (left || together.length === 0) return;
    const bytes = together.length === 1 ? together[0]! : Buffer.concat(together);
    together = [];
    data(bytes);
  }
  const ended = () => {
    give();
    if (!left) end();
  };
  const failed = (cause: unknown) => {
    together.push(...leftIn(source));
    give();
    if (!left) fail(cause);
  };
  const cut = () => {
    if (!source.readableEnded) failed(new Error('the upstream closed the connection'));
  };

  source.on('data', collect).on('end', ended).on('error', failed).on('close', cut);
  return {
    pause: () => void source.pause(),
    resume() {
      if (!left) source.resume();
    },
    leave() {
      if (left) return;
      left = true;
      source.off('data', collect).off('end', ended).off('error', failed).off('close', cut);
      source.on('error', () => {}); // Code that reads on gets the error from the stream.
      source.pause();
      if (together.length > 0) source.unshift(Buffer.concat(together));
    },
  };
}
