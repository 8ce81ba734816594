import { request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { isLoopback } from './access.js';
import { decoded } from './decoded.js';

/**
 * The proxy for an address, from the usual variables: `HTTPS_PROXY`, or `HTTP_PROXY` for an address without TLS, and
 * `NO_PROXY`, in upper or lower case. Undefined if the address is reached directly, as this machine itself always is.
 * Throws `ProxyError` if the proxy is not a valid address.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = named(variable);
  if (proxy === '' || isLoopback(url.hostname) || isExempt(url, named('NO_PROXY'))) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new ProxyError(`${variable} is no address such as http://proxy.example:3128`);
  return new URL(address);
}

/** `NO_PROXY` lists hosts, each including its subdomains, with or without a port; `*` is every host. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80');
  const name = withoutBrackets(hostname);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const { host, only = own } = exemption(entry.replace(/^\*?\./, ''));
      return host !== '' && only === own && (name === host || name.endsWith(`.${host}`));
    });
}

/** The host and the port of an entry: `openai.com:443`, `[2001:db8::1]:443`, or an IPv6 address alone, without a port. */
function exemption(entry: string): { readonly host: string; readonly only?: string } {
  const colon = entry.lastIndexOf(':');
  const isAddress = entry.indexOf(':') !== colon && !entry.includes(']:');
  if (colon < 0 || isAddress) return { host: withoutBrackets(entry) };
  return { host: withoutBrackets(entry.slice(0, colon)), only: entry.slice(colon + 1) };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Where a proxy is, and how and with which credentials it is asked. */
function doorOf({ hostname, port, protocol, username, password }: URL) {
  const isSecure = protocol === 'https:';
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return {
    ask: isSecure ? httpsRequest : httpRequest,
    to: { host: withoutBrackets(hostname), port: port || (isSecure ? 443 : 80) },
    headers: username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` },
  };
}

/** A request without TLS names the whole address to the proxy, which then sends the request itself. */
export function throughProxy(proxy: URL, { origin, pathname, search }: URL) {
  const { ask, to, headers } = doorOf(proxy);
  return { ask, headers, options: { ...to, path: origin + pathname + search } };
}

/** Connections through a proxy: it opens a tunnel to the upstream, and the traffic in the tunnel is encrypted. */
export class TunnelAgent extends HttpsAgent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  }

  override createConnection(
    options: RequestOptions,
    callback?: (cause: Error | null, socket: Duplex) => void,
  ): undefined {
    const done = callback as (cause: Error | null, socket?: Duplex) => void;
    const target = `${options.host}:${options.port}`;
    const { ask, to, headers } = doorOf(this.proxy);
    const asking = ask({ ...to, method: 'CONNECT', path: target, headers: { host: target, ...headers }, agent: false });
    asking.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return done(null, connect({ ...(options as ConnectionOptions), socket }));
      socket.destroy();
      done(refusedBy(statusCode));
    });
    asking.once('response', ({ statusCode }) => {
      asking.destroy();
      done(refusedBy(statusCode));
    });
    asking.once('error', (cause) => done(unreachedProxy(cause)));
    asking.end();
  }
}

/** The proxy refused or failed. Its address is not in the message, because it may hold a password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

export function refusedBy(status: number | undefined): ProxyError {
  return new ProxyError(`the proxy answered with status ${status}`);
}

export function unreachedProxy(cause: Error): ProxyError {
  return new ProxyError(`the proxy could not be reached: ${(cause as NodeJS.ErrnoException).code ?? cause.name}`);
}
