import { askRoute } from '@loopfuse/wire';
import type { GatewayOptions } from './gateway-options.js';
import { endToEnd, sessionHeader, tokenHeader } from './headers.js';
import { type PushedBody, piped, pushedResponse } from './pushed-body.js';
import { createUpstream, type UpstreamResponse } from './upstream.js';
import { addressAt, mountedAt, providerUpstreams, type Upstreams, upstreamFor, withoutVersion } from './upstreams.js';

/** Sends requests on to their upstreams. */
export interface Forward {
  /** `body` is the one that was received, or another one. */
  send(
    request: Request,
    body: Uint8Array | AsyncIterable<Uint8Array> | undefined,
    change?: (headers: Headers) => void,
  ): Promise<UpstreamResponse>;
  close(): void;
}

export function createForward(options: GatewayOptions): Forward {
  const upstreams: Upstreams = { ...providerUpstreams, ...options.upstreams };
  const upstream = createUpstream(options);
  return {
    send(request, body, change = () => {}) {
      const { pathname, search } = new URL(request.url);
      const protocol = askRoute(pathname, search.slice(1))?.protocol;
      const headers = endToEnd(request.headers);
      headers.delete(sessionHeader);
      headers.delete(tokenHeader);
      headers.delete('host');
      change(headers);
      const mounted = mountedAt(options.mounts, pathname);
      const to = mounted?.upstream ?? upstreams[upstreamFor(protocol, pathname, request.headers)];
      const url = addressAt(to, mounted?.path ?? withoutVersion(to, pathname), search);
      return upstream.ask({ url, method: request.method, headers, body, signal: request.signal });
    },
    close: () => upstream.close(),
  };
}

/** The highest status that a `Response` accepts. HTTP allows higher ones, and some servers send them. */
const highestStatus = 599;

function withStatus(status: number, response: Response): Response {
  return Object.defineProperty(response, 'status', { value: status });
}

const bodiless = new Set([204, 205, 304]);

/** The answer of the upstream: its status, its headers, and these bytes. */
export function responseOf(answer: UpstreamResponse, body: Uint8Array | PushedBody = piped(answer.body)): Response {
  const { status, statusText } = answer;
  if (status > highestStatus) return withStatus(status, responseOf({ ...answer, status: 502 }, body));
  const init = { status, statusText, headers: endToEnd(answer.headers) };
  if (bodiless.has(status)) {
    answer.body.resume(); // so that the connection is free again
    return new Response(null, init);
  }
  return body instanceof Uint8Array ? new Response(body as Uint8Array<ArrayBuffer>, init) : pushedResponse(body, init);
}
