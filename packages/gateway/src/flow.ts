import type { Readable } from 'node:stream';

export interface Flow {
  pause(): void;
  resume(): void;
  /** Nothing more is given. The source is left as it is, for somebody else to read on or to destroy. */
  leave(): void;
}

export interface FlowEvents {
  data(bytes: Uint8Array): void;
  end(): void;
  /** It broke off. */
  fail(cause: unknown): void;
}

/** The bytes of a stream, one piece at a time. Where it broke off, all that came is given before the error is thrown. */
export async function* bytesOf(source: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    yield* leftIn(source);
    throw cause;
  }
}

/** How a stream begins that nobody reads yet; empty where it ends or breaks off first. It gives these bytes once more. */
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

/** What came before a stream broke off, and waits in it because nobody had read so far: Node gives it to nobody else. */
function leftIn(source: Readable): Uint8Array[] {
  const left: Uint8Array[] = [];
  for (let bytes = source.read(); bytes !== null; bytes = source.read()) left.push(bytes);
  return left;
}

/**
 * Gives the bytes of a stream as they come. Pieces that come together are given as one: each chunk of an HTTP body would be
 * an event of its own otherwise, and a write of its own to the client.
 */
export function flow(source: Readable, { data, end, fail }: FlowEvents): Flow {
  let together: Uint8Array[] = []; // came within one turn of the event loop
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
      source.on('error', () => {}); // Whoever reads on gets it from the stream.
      source.pause();
      if (together.length > 0) source.unshift(Buffer.concat(together));
    },
  };
}
