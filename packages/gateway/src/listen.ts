import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccess, isLoopback } from './access.js';
import { nodeRequest } from './node-request.js';
import { type PushedBody, pushedBodyOf } from './pushed-body.js';
import { errorReply } from './reply.js';

export type Handler = (request: Request) => Promise<Response>;

export interface ListenOptions {
  /** Loopback by default. Any other host needs a token. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  readonly token?: string | undefined;
  /** Paths that need no token, for health checks. */
  readonly open?: readonly string[];
  /** How long a client may take to send its headers, and the whole request. */
  readonly headersWithinMs?: number;
  readonly requestWithinMs?: number;
  /** How long a client may stop reading while bytes wait for it. */
  readonly readWithinMs?: number;
  readonly mostHeaderBytes?: number;
  readonly mostConnections?: number;
}

export interface Listener {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  /** Stops listening. Answers under way get this long to end, by default no time; then they are cut. */
  close(withinMs?: number): Promise<void>;
}

/** Serves a handler over HTTP with Node's own server. */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listener> {
  const { host = '127.0.0.1', port = 0, token, mostHeaderBytes = 64 * 1024, mostConnections = 20_000 } = options;
  const { headersWithinMs = 30_000, requestWithinMs = 300_000, readWithinMs = 900_000 } = options;
  if (typeof handler !== 'function')
    throw new TypeError('listen: the handler must be a function, such as gateway.handle');
  // Node would take a string for the path of a socket.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`listen: port must be an integer from 0 to 65535, got ${JSON.stringify(port)}`);
  if (token === '')
    throw new RangeError('listen: the token is empty, and would let everybody in. Leave it out, or set one');
  if (!isLoopback(host) && token === undefined)
    throw new RangeError(`listen: host ${host} is not this machine alone, so a token is needed`);
  const access = createAccess(token, options.open);
  const server = createServer(
    {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: headersWithinMs,
      requestTimeout: requestWithinMs,
      keepAliveTimeout: 75_000,
      // How often Node checks for slow clients.
      connectionsCheckingInterval: Math.min(30_000, headersWithinMs, requestWithinMs),
    },
    (incoming, outgoing) => void serve(incoming, outgoing),
  );
  server.maxConnections = mostConnections;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    outgoing.on('error', () => {}); // The client is gone; `close` reports it.
    try {
      const request = requestOf(incoming, gone.signal);
      const admitted = request === undefined ? badRequest : access(request);
      const response =
        admitted instanceof Request
          ? await handler(admitted)
          : errorReply(undefined, admitted.status, admitted.message);
      const body = pushedBodyOf(response);
      writeHead(outgoing, response);
      if (body !== undefined) push(outgoing, body, readWithinMs);
      else await respond(outgoing, response, gone.signal, readWithinMs);
    } catch {
      outgoing.destroy();
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    async close(withinMs = 0) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (withinMs > 0) {
        // A keep-alive connection stays open after its answer.
        const letGo = setInterval(() => server.closeIdleConnections(), 50);
        const patience = new AbortController();
        await Promise.race([closed, pause(withinMs, undefined, { signal: patience.signal }).catch(() => {})]);
        patience.abort();
        clearInterval(letGo);
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

const badRequest = {
  status: 400,
  message: 'The address, the host or the method of the request is none that can be used.',
};

/** The request as a web-standard `Request`; undefined if it cannot be one. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method, url = '/', rawHeaders } = incoming;
  try {
    const headers = new Headers();
    for (let k = 0; k + 1 < rawHeaders.length; k += 2) headers.append(rawHeaders[k]!, rawHeaders[k + 1]!);
    // Clients that use the gateway as a proxy send the host with the path.
    const isWhole = /^https?:\/\//i.test(url);
    const path = url.startsWith('/') ? url : `/${url}`;
    const address = new URL(isWhole ? url : `http://${headers.get('host') ?? 'localhost'}${path}`);
    if (method === 'TRACE' || method === 'CONNECT' || address.username !== '' || address.password !== '')
      return undefined;
    return nodeRequest(incoming, address, headers, signal);
  } catch {
    return undefined;
  }
}

function writeHead(outgoing: ServerResponse, { status, statusText, headers }: Response): void {
  outgoing.writeHead(status, statusText, [...headers].flat() as unknown as string[]);
}

/** A client whose connection is cut loses what it has received and not read yet, so it gets this long to read it. */
const cutAfterMs = 500;

/** Sends a body that pushes. When it fails, the connection is cut, as that of the upstream was. */
function push(outgoing: ServerResponse, body: PushedBody, readWithinMs: number): void {
  let stalled: NodeJS.Timeout | undefined;
  // The first bytes often come at once and can go with the headers.
  const flushing = setImmediate(() => outgoing.flushHeaders());
  outgoing.on('drain', () => {
    clearTimeout(stalled);
    body.resume();
  });
  outgoing.on('close', () => {
    clearTimeout(stalled);
    clearImmediate(flushing);
    if (!outgoing.writableFinished) body.cancel();
  });
  if (outgoing.destroyed) {
    body.cancel();
    return;
  }
  body.start({
    write(bytes) {
      if (outgoing.destroyed) return false;
      const more = outgoing.write(bytes);
      if (!more) {
        clearTimeout(stalled);
        stalled = setTimeout(() => outgoing.destroy(), readWithinMs);
      }
      return more;
    },
    end: () => void outgoing.end(),
    fail() {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        stalled = setTimeout(() => outgoing.destroy(), readWithinMs);
        outgoing.socket?.end(); // what was written is still sent, but not the end of the answer
      }, cutAfterMs);
    },
  });
}

/** Sends any other response as it arrives. */
async function respond(
  outgoing: ServerResponse,
  response: Response,
  gone: AbortSignal,
  readWithinMs: number,
): Promise<void> {
  if (response.body === null) return void outgoing.end();
  const reader = response.body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  gone.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || gone.aborted) break;
      if (!outgoing.write(value)) await drained(outgoing, readWithinMs);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  } finally {
    gone.removeEventListener('abort', leave);
  }
}

function drained(outgoing: ServerResponse, readWithinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => outgoing.destroy(), readWithinMs);
    const done = () => {
      clearTimeout(stalled);
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
