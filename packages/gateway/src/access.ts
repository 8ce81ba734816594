import { createHash, timingSafeEqual } from 'node:crypto';
import { decoded } from './decoded.js';
import { tokenHeader } from './headers.js';
import { requestAt } from './node-request.js';

/** Checks who may use the gateway. Returns the request to go on with, or the status and the reason of a refusal. */
export type Access = (request: Request) => Request | { readonly status: number; readonly message: string };

/**
 * With a token, clients send it in `x-loopfuse-token`, or put it before the path, `/~TOKEN/v1`, if they can set nothing
 * but a base URL. Without a token, only requests to a name of this machine itself are answered, so that no web page can
 * reach the gateway through a host name of its own.
 */
export function createAccess(token: string | undefined, open: readonly string[] = []): Access {
  if (token === undefined) return loopbackOnly;
  const expected = digest(token);
  return (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && open.includes(url.pathname)) return request;
    const [, inPath, rest] = /^\/~([^/]*)(\/.*)?$/.exec(url.pathname) ?? [];
    const given = request.headers.get(tokenHeader) ?? decoded(inPath ?? '');
    if (!timingSafeEqual(digest(given), expected))
      return {
        status: 401,
        message: 'This gateway needs its token, in the header x-loopfuse-token or before the path.',
      };
    if (inPath === undefined) return request;
    url.pathname = rest ?? '/';
    return requestAt(request, url);
  };
}

/** Both sides have the same length, so that the time of the comparison reveals nothing. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const loopbackOnly: Access = (request) => {
  const { hostname } = new URL(request.url);
  if (isLoopback(hostname)) return request;
  return { status: 403, message: 'Without a token, this gateway answers only to the names of this machine itself.' };
};

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
