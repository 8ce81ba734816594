import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { ProxyError, proxyFor, refusedBy, TunnelAgent, throughProxy, unreachedProxy } from './proxy.js';

/** A request to an upstream. */
export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** Bytes, or a stream of bytes; undefined for no body. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** As it comes from the connection: not decompressed, not joined. Fails when the upstream cuts it. */
  readonly body: Readable;
}

export type Ask = (request: UpstreamRequest) => Promise<UpstreamResponse>;

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The upstream closed a keep-alive connection before it answered. */
class StaleConnection extends UpstreamError {}

/** For the client and for the operator. */
export const brokenOffText =
  'The model’s server closed the connection before its answer was complete. Send the request again.';

/** As much as clients may send to us; Node's default is 16 KB. */
const mostHeaderBytes = 64 * 1024;

export interface UpstreamOptions {
  /** How long an upstream may take to begin its answer. */
  readonly answerWithinMs?: number;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Asks upstreams with Node's own client: `fetch` would decompress bodies and follow redirects, so that the client would
 * not get what the upstream sent.
 */
export function createUpstream(options: UpstreamOptions = {}): { ask: Ask; close(): void } {
  const { answerWithinMs = 600_000, environment = process.env } = options;
  const http = new HttpAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const https = new HttpsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  const tunnels = new Map<string, TunnelAgent>();

  function proxyOf(url: URL): URL | undefined {
    try {
      return proxyFor(url, environment);
    } catch (cause) {
      throw unreachable(url, cause as Error);
    }
  }

  function tunnelTo(proxy: URL): TunnelAgent {
    const tunnel = tunnels.get(proxy.href) ?? new TunnelAgent(proxy);
    tunnels.set(proxy.href, tunnel);
    return tunnel;
  }

  /** How an address is asked, and through which proxy, if any. */
  function wayTo(url: URL) {
    const proxy = proxyOf(url);
    if (url.protocol === 'https:') {
      const agent = proxy === undefined ? https : tunnelTo(proxy);
      return { start: (options: RequestOptions) => httpsRequest(url, { ...options, agent }) };
    }
    if (proxy === undefined)
      return { start: (options: RequestOptions) => httpRequest(url, { ...options, agent: http }) };
    const { ask, headers, options: to } = throughProxy(proxy, url);
    const agent = proxy.protocol === 'https:' ? https : http;
    return {
      proxy,
      start: (options: RequestOptions) =>
        ask({ ...options, ...to, headers: { ...options.headers, ...headers }, agent }),
    };
  }

  /** The other side may close a keep-alive connection just as it is used again. That is no answer, so it asks again. */
  async function ask(request: UpstreamRequest): Promise<UpstreamResponse> {
    for (;;) {
      try {
        return await askOnce(request);
      } catch (cause) {
        const mayRepeat = request.body === undefined || request.body instanceof Uint8Array;
        if (!(cause instanceof StaleConnection) || !mayRepeat) throw cause;
      }
    }
  }

  async function askOnce({ url, method, headers, body, signal }: UpstreamRequest): Promise<UpstreamResponse> {
    const sent = Object.fromEntries(headers);
    if (body instanceof Uint8Array) sent['content-length'] = String(body.length);
    // By default Node sends the body of a GET or DELETE without framing, and the upstream takes it for another request.
    else if (body !== undefined && sent['content-length'] === undefined) sent['transfer-encoding'] = 'chunked';
    const way = wayTo(url);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = way.start({
        method,
        headers: { ...sent, host: url.host },
        signal,
        maxHeaderSize: mostHeaderBytes,
      });
      const timer = setTimeout(
        () => outgoing.destroy(new UpstreamError(`${url.origin} did not answer within ${answerWithinMs} ms`, 504)),
        answerWithinMs,
      );
      outgoing.on('error', (cause) => {
        clearTimeout(timer);
        if (cause instanceof UpstreamError || signal.aborted) return reject(cause);
        const { code } = cause as NodeJS.ErrnoException;
        const isStale = outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
        const error = unreachable(url, way.proxy === undefined ? cause : unreachedProxy(cause));
        reject(isStale ? new StaleConnection(error.message, 502) : error);
      });
      // Node ends a request without an error if the answer switches the protocol or opens a tunnel.
      outgoing.on('close', () => {
        clearTimeout(timer);
        reject(new UpstreamError(`${url.origin} closed the connection without an answer`, 502));
      });
      outgoing.on('response', (incoming) => {
        clearTimeout(timer);
        if (way.proxy === undefined || incoming.statusCode !== 407) return resolve(incoming);
        reject(unreachable(url, refusedBy(407)));
        outgoing.destroy();
      });
      if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
      else
        void send(outgoing, body).catch((cause: unknown) =>
          outgoing.destroy(cause instanceof Error ? cause : new Error(String(cause))),
        );
    });
    const received = new Headers();
    for (let k = 0; k + 1 < answer.rawHeaders.length; k += 2)
      received.append(answer.rawHeaders[k]!, answer.rawHeaders[k + 1]!);
    return {
      status: answer.statusCode ?? 502,
      statusText: answer.statusMessage ?? '',
      headers: received,
      body: answer,
    };
  }

  return {
    ask,
    close() {
      http.destroy();
      https.destroy();
      for (const tunnel of tunnels.values()) tunnel.destroy();
    },
  };
}

async function send(outgoing: ReturnType<typeof httpRequest>, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body)
    if (!outgoing.write(chunk))
      await new Promise<void>((resolve) => {
        outgoing.once('drain', resolve);
        outgoing.once('close', resolve);
      });
  outgoing.end();
}

function unreachable(url: URL, cause: Error): UpstreamError {
  const code = cause instanceof ProxyError ? cause.message : ((cause as NodeJS.ErrnoException).code ?? cause.name);
  return new UpstreamError(`${url.origin} could not be reached (${code})`, 502);
}
