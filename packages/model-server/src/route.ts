import type { IncomingHttpHeaders } from 'node:http';
import { askRoute, decoded, type Framing, modelAddress, type Protocol } from '@loopfuse/wire';

/** What an address requests. Anything may come before the known end of a path, as behind a gateway. */
export type Route =
  | { readonly type: 'ask'; readonly protocol: Protocol; readonly model?: string; readonly framing?: Framing }
  | { readonly type: 'count'; readonly protocol: Protocol }
  | { readonly type: 'models'; readonly protocol: Protocol; readonly id?: string }
  | { readonly type: 'refuse'; readonly protocol: Protocol; readonly status: number; readonly message: string }
  | { readonly type: 'home' };

export function routeOf(method: string, address: string, headers: IncomingHttpHeaders): Route {
  const [pathname = '/', query = ''] = address.split('?', 2);
  const path = pathname.length > 1 ? withoutEndSlashes(pathname) : pathname;
  if (path === '/' || path === '') return { type: 'home' };
  const listed = /\/models(?:\/([^/:]+))?$/.exec(path);
  if (listed && (method === 'GET' || method === 'HEAD')) {
    const protocol = path.includes('/v1beta/') ? 'gemini' : headers['anthropic-version'] ? 'anthropic' : 'openai-chat';
    return { type: 'models', protocol, ...(listed[1] === undefined ? {} : { id: decoded(listed[1]) }) };
  }
  const route = postRoute(path, query);
  if (route === undefined)
    return {
      type: 'refuse',
      protocol: familyOf(path, headers),
      status: 404,
      message: `there is no ${method} ${path} on this server`,
    };
  if (method === 'POST') return route;
  // Codex requests a WebSocket here first, and uses POST after this answer.
  if (route.protocol === 'openai-responses' && method === 'GET')
    return {
      type: 'refuse',
      protocol: route.protocol,
      status: 426,
      message: 'WebSockets are not supported here; use POST',
    };
  return { type: 'refuse', protocol: route.protocol, status: 405, message: `${method} is not allowed here; use POST` };
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function postRoute(path: string, search: string): Extract<Route, { type: 'ask' | 'count' }> | undefined {
  const asked = askRoute(path, search);
  if (asked !== undefined) return { type: 'ask', ...asked };
  if (path.endsWith('/messages/count_tokens')) return { type: 'count', protocol: 'anthropic' };
  return modelAddress(path)?.verb === 'countTokens' ? { type: 'count', protocol: 'gemini' } : undefined;
}

function familyOf(path: string, headers: IncomingHttpHeaders): Protocol {
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  return path.includes('/v1beta/') ? 'gemini' : 'openai-chat';
}
