import { expect, test } from 'vitest';
import { createGateway } from './gateway.js';
import { listen } from './listen.js';

test.each([
  ['a way that is none', { onLoop: 'watch' }, /onLoop must be "steer", "stop", "shadow", got "watch"/],
  ['a name of every object', { onLoop: 'toString' }, /onLoop must be/],
  ['a text as an upstream', { upstreams: { openai: 'https://a.example' } }, /upstreams.openai must be a URL/],
  ['an upstream that is none', { upstreams: { opnai: new URL('https://a.example') } }, /upstreams has .* got "opnai"/],
  ['the name of a preset', { detectors: 'balanced' }, /detectors/],
  ['the name of a policy', { policy: 'stop' }, /policy/],
])('no gateway is made with %s', (_, options, words) => {
  expect(() => createGateway(options as never)).toThrow(words);
});

test('nobody listens with a token that lets everybody in, or at a place that is no port', async () => {
  const handler = async () => new Response('x');
  await expect(listen(handler, { host: '0.0.0.0', token: '' })).rejects.toThrow(/the token is empty/);
  await expect(listen(handler, { token: '' })).rejects.toThrow(/the token is empty/);
  await expect(listen(handler, { port: '/tmp/socket' as never })).rejects.toThrow(/port must be an integer from 0/);
  await expect(listen({ handle: handler } as never)).rejects.toThrow(/handler must be a function/);
});
