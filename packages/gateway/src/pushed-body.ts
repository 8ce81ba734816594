import type { Readable } from 'node:stream';
import { type Flow, flow } from './flow.js';

/** Receives the bytes of an answer. */
export interface Sink {
  /** Returns false if no more is wanted until `resume`. */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** Cuts the answer, as that of the upstream was cut. */
  fail(cause: unknown): void;
}

/**
 * The body of an answer that pushes its bytes as they arrive, without a promise for each piece as in a web stream. A
 * listener that knows it takes it from the response; for other code the response has a stream of the same bytes.
 */
export interface PushedBody {
  /** Called once. */
  start(sink: Sink): void;
  resume(): void;
  /** The reader has left. */
  cancel(): void;
}

const pushedBodies = new WeakMap<Response, PushedBody>();

export function pushedResponse(body: PushedBody, init: ResponseInit): Response {
  const response = new Response(streamOf(body), init);
  pushedBodies.set(response, body);
  return response;
}

/** The body of a response, if it is one that pushes. */
export function pushedBodyOf(response: Response): PushedBody | undefined {
  return response.bodyUsed ? undefined : pushedBodies.get(response);
}

/** Pushes the bytes of a Node stream as they arrive. */
export function piped(source: Readable): PushedBody {
  let reading: Flow | undefined;
  return {
    start(sink) {
      const data = (bytes: Uint8Array) => {
        if (!sink.write(bytes)) reading?.pause();
      };
      const fail = (cause: unknown) => {
        reading?.leave();
        sink.fail(cause);
      };
      reading = flow(source, { data, end: () => sink.end(), fail });
    },
    resume: () => reading?.resume(),
    cancel() {
      reading?.leave();
      source.destroy();
    },
  };
}

/** Pushes the pieces of an iterator. `cancel` ends it and calls `leave`: it may be waiting for a silent upstream. */
export function pulled(source: AsyncIterable<Uint8Array>, leave: () => void): PushedBody {
  const pieces = source[Symbol.asyncIterator]();
  let wanted = () => {};
  let cancelled = false;
  return {
    async start(sink) {
      try {
        for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
          if (cancelled) return;
          const more = new Promise<void>((resolve) => {
            wanted = resolve;
          });
          if (!sink.write(piece.value)) await more;
        }
        if (!cancelled) sink.end();
      } catch (cause) {
        if (!cancelled) sink.fail(cause);
      }
    },
    resume: () => wanted(),
    cancel() {
      cancelled = true;
      wanted();
      void pieces.return?.()?.then(undefined, () => {});
      leave();
    },
  };
}

/** The same bytes as a web stream, which starts when it is first read. */
function streamOf(body: PushedBody): ReadableStream<Uint8Array> {
  let begun = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (begun) return body.resume();
        begun = true;
        body.start({
          write(bytes) {
            controller.enqueue(bytes);
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
          fail: (cause) => controller.error(cause),
        });
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  );
}
