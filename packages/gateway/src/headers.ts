/** What concerns one connection only and is not passed on. */
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

/** Headers of ours, which no upstream needs to see. */
export const sessionHeader = 'x-loopfuse-session';
export const tokenHeader = 'x-loopfuse-token';

/** The headers that go on to the other side, those that `Connection` names left out too. */
export function endToEnd(headers: Headers): Headers {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const passed = new Headers();
  for (const [name, value] of headers) if (!hopByHop.has(name) && !named.includes(name)) passed.append(name, value);
  return passed;
}
