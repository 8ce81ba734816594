import { request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { decoded } from './decoded.js';

/**
 * The proxy through which an address is reached, by the variables that most programs go by: `HTTPS_PROXY` and
 * `NO_PROXY`, in capitals or not. Undefined where it is reached directly, as every address without TLS is: those are on this
 * machine or near it. Throws `ProxyError` for a proxy that is no address.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const proxy = named('HTTPS_PROXY');
  if (url.protocol !== 'https:' || proxy === '' || isExempt(url, named('NO_PROXY'))) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new ProxyError('HTTPS_PROXY is no address such as http://proxy.example:3128');
  return new URL(address);
}

/** `NO_PROXY` lists hosts, with all that are below them, each with a port or without; `*` is every host. */
function isExempt({ hostname, port }: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [host = '', only = port || '443'] = entry.replace(/^\*?\./, '').split(':');
      return host !== '' && only === (port || '443') && (hostname === host || hostname.endsWith(`.${host}`));
    });
}

/** Connections through a proxy: it is asked for a tunnel to the upstream, and what goes through that is encrypted as ever. */
export class TunnelAgent extends HttpsAgent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  }

  override createConnection(
    options: RequestOptions,
    callback?: (cause: Error | null, socket: Duplex) => void,
  ): undefined {
    const done = callback as (cause: Error | null, socket?: Duplex) => void;
    const { hostname, port, protocol, username, password } = this.proxy;
    const target = `${options.host}:${options.port}`;
    const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
    const asking = (protocol === 'https:' ? httpsRequest : httpRequest)({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) },
      agent: false,
    });
    asking.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return done(null, connect({ ...(options as ConnectionOptions), socket }));
      socket.destroy();
      done(new ProxyError(`the proxy answered with status ${statusCode}`));
    });
    asking.once('response', ({ statusCode }) => {
      asking.destroy();
      done(new ProxyError(`the proxy answered with status ${statusCode}`));
    });
    asking.once('error', (cause: NodeJS.ErrnoException) =>
      done(new ProxyError(`the proxy could not be reached: ${cause.code ?? cause.name}`)),
    );
    asking.end();
  }
}

/** The proxy would not, or could not, open a tunnel. Its address is not in the message: it may hold a password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}
