/** Headers that concern only one connection and are not passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Our own headers, which no upstream needs to see. */
export const sessionHeader = 'x-loopfuse-session';
export const tokenHeader = 'x-loopfuse-token';

/** The headers that are passed on; those that `Connection` names are left out too. */
export function endToEnd(headers: Headers): Headers {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const passed = new Headers();
  for (const [name, value] of headers) if (!hopByHop.has(name) && !named.includes(name)) passed.append(name, value);
  return passed;
}
