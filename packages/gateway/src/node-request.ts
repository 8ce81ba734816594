import type { IncomingMessage } from 'node:http';

/**
 * A request of Node in the form of a web-standard `Request`. Making a real `Request`, with a stream for its body, takes
 * longer than most of the work on a request, so one is made only when code needs what only it has.
 */
class NodeRequest {
  readonly method: string;
  #whole: Request | undefined;

  constructor(
    readonly incoming: IncomingMessage,
    readonly url: string,
    readonly headers: Headers,
    readonly signal: AbortSignal,
  ) {
    this.method = incoming.method ?? 'GET';
  }

  /** Decided by the framing headers of the body, whatever the method. */
  get hasBody(): boolean {
    const { 'transfer-encoding': coding, 'content-length': length } = this.incoming.headers;
    return coding !== undefined || Number(length ?? 0) > 0;
  }

  /** The bytes of the body, unless they were turned into a stream. */
  get bytes(): AsyncIterable<Uint8Array> | undefined {
    return this.#whole === undefined && this.hasBody ? this.incoming : undefined;
  }

  whole(): Request {
    const { method, headers, signal, incoming } = this;
    const mayHaveBody = method !== 'GET' && method !== 'HEAD'; // a web-standard `Request` does not allow it
    const body = this.hasBody && mayHaveBody ? { body: incoming, duplex: 'half' } : {};
    this.#whole ??= new Request(this.url, { method, headers, signal, ...body } as unknown as RequestInit);
    return this.#whole;
  }
}

const others = Object.keys(Object.getOwnPropertyDescriptors(Request.prototype)).filter(
  (name) => !['constructor', 'method', 'url', 'headers', 'signal', 'bytes'].includes(name),
);
for (const name of others)
  Object.defineProperty(NodeRequest.prototype, name, {
    get(this: NodeRequest) {
      const whole = this.whole();
      const value: unknown = Reflect.get(whole, name);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
Object.setPrototypeOf(NodeRequest.prototype, Request.prototype);

/** Throws if the method or a header is not valid. */
export function nodeRequest(incoming: IncomingMessage, url: URL, headers: Headers, signal: AbortSignal): Request {
  return new NodeRequest(incoming, url.href, headers, signal) as unknown as Request;
}

/** The same request for another URL. */
export function requestAt(request: Request, url: URL): Request {
  if (!(request instanceof NodeRequest)) return new Request(url, request);
  return nodeRequest(request.incoming, url, request.headers, request.signal);
}

/** The bytes of a request's body: directly from the connection, unless they were turned into a stream. */
export function bodyOf(request: Request): AsyncIterable<Uint8Array> | null {
  const own = request instanceof NodeRequest ? request.bytes : undefined;
  return own ?? (request.body as AsyncIterable<Uint8Array> | null);
}
