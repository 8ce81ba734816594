import { Readable } from 'node:stream';
import { proxyFor } from './proxy.js';
import { createUpstream } from './upstream.js';

/**
 * `fetch` for our own requests, such as a judge's: through the proxy that the environment names for the address, as for
 * upstreams; Node's own `fetch` if it names none.
 */
export function proxiedFetch(environment: NodeJS.ProcessEnv): typeof fetch {
  const upstream = createUpstream({ environment });
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (proxyFor(url, environment) === undefined) return fetch(input, init);
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const { method, headers, signal } = request;
    const answer = await upstream.ask({ url, method, headers, body, signal });
    const { status, statusText } = answer;
    const stream = [204, 205, 304].includes(status) ? null : Readable.toWeb(answer.body);
    // At run time these streams are the same; only their types in Node and in the web differ.
    const received = stream as unknown as ConstructorParameters<typeof Response>[0];
    return new Response(received, { status, statusText, headers: answer.headers });
  };
}
