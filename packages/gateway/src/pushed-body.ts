import type { Readable } from 'node:stream';
import { type Flow, flow } from './flow.js';

/** Where the bytes of an answer go. */
export interface Sink {
  /** False where no more is wanted until `resume`. */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** The answer is cut, as that of the upstream was. */
  fail(cause: unknown): void;
}

/**
 * The body of an answer that pushes its bytes as they come: no promise for each piece, as a web stream has. A listener that
 * knows it takes it from the response; for everybody else the response has a stream of the same bytes.
 */
export interface PushedBody {
  /** Called once. */
  start(sink: Sink): void;
  resume(): void;
  /** Nobody reads any more. */
  cancel(): void;
}

const pushedBodies = new WeakMap<Response, PushedBody>();

export function pushedResponse(body: PushedBody, init: ResponseInit): Response {
  const response = new Response(streamOf(body), init);
  pushedBodies.set(response, body);
  return response;
}

/** The body of a response, where it pushes. */
export function pushedBodyOf(response: Response): PushedBody | undefined {
  return response.bodyUsed ? undefined : pushedBodies.get(response);
}

/** What a stream of Node's gives, as it comes. */
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

/** What an iteration gives, one piece at a time. Cancelling ends it, and `leave` what it waits for: an upstream may be silent for long. */
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

/** The same bytes as a web stream, which begins when somebody reads it. */
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
