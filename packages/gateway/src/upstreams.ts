import type { Protocol } from '@loopfuse/wire';

/** Where requests are sent. Only these addresses are ever asked, whatever a request says. */
export interface Upstreams {
  readonly openai: URL;
  readonly anthropic: URL;
  readonly gemini: URL;
}

export type UpstreamName = keyof Upstreams;

export const providerUpstreams: Upstreams = {
  openai: new URL('https://api.openai.com'),
  anthropic: new URL('https://api.anthropic.com'),
  gemini: new URL('https://generativelanguage.googleapis.com'),
};

/** The upstream of a request, by its protocol; for other requests, by signs of the provider in headers and path. */
export function upstreamFor(protocol: Protocol | undefined, path: string, headers: Headers): UpstreamName {
  if (protocol !== undefined) return protocol === 'anthropic' || protocol === 'gemini' ? protocol : 'openai';
  if (headers.has('anthropic-version') || /\/v1\/messages|\/publishers\/anthropic\//.test(path)) return 'anthropic';
  if (headers.has('x-goog-api-key') || /^\/(?:upload\/)?v1(?:alpha|beta)|\/publishers\/google\//.test(path))
    return 'gemini';
  return 'openai';
}

/** The address at the upstream: its own path, then that of the request. A request cannot leave the upstream's path. */
export function addressAt(upstream: URL, path: string, search: string): URL {
  const address = new URL(upstream.origin);
  address.pathname = basePath(upstream.pathname) + path;
  address.search = search;
  return address;
}

/** The path of a request without its version (`/v1`), if the upstream's own path already ends with it. */
export function withoutVersion({ pathname }: URL, path: string): string {
  const version = /^\/v\d\w*(?=\/)/.exec(path)?.[0];
  return version !== undefined && basePath(pathname).endsWith(version) ? path.slice(version.length) : path;
}

/** The upstream that the first part of a path names, with the rest of the path. */
export function mountedAt(
  mounts: ReadonlyMap<string, URL> | undefined,
  path: string,
): { readonly upstream: URL; readonly path: string } | undefined {
  if (mounts === undefined || mounts.size === 0) return undefined;
  const end = path.indexOf('/', 1);
  const upstream = mounts.get(end < 0 ? path : path.slice(0, end));
  return upstream && { upstream, path: end < 0 ? '/' : path.slice(end) };
}

function basePath(pathname: string): string {
  return pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
}
