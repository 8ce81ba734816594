import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routeOf } from './route.js';

describe('routeOf', () => {
  it.each([
    ['/v1/chat/completions', { type: 'ask', protocol: 'openai-chat' }],
    ['/chat/completions', { type: 'ask', protocol: 'openai-chat' }],
    ['/some/gateway/v1/responses', { type: 'ask', protocol: 'openai-responses' }],
    ['/v1/messages?beta=true', { type: 'ask', protocol: 'anthropic' }],
    ['/v1/messages/count_tokens', { type: 'count', protocol: 'anthropic' }],
    ['/v1beta/models/a%20b:generateContent', { type: 'ask', protocol: 'gemini', model: 'a b', framing: 'whole' }],
    [
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      { type: 'ask', protocol: 'gemini', model: 'm', framing: 'events' },
    ],
    ['/v1beta/models/m:streamGenerateContent', { type: 'ask', protocol: 'gemini', model: 'm', framing: 'array' }],
    ['/v1beta/models/m:countTokens', { type: 'count', protocol: 'gemini' }],
  ])('finds what POST %s asks for', (address, route) => {
    expect(routeOf('POST', address, {})).toEqual(route);
  });

  it('keeps the lists of models apart', () => {
    expect(routeOf('GET', '/v1/models', {})).toEqual({ type: 'models', protocol: 'openai-chat' });
    expect(routeOf('GET', '/v1/models/x', { 'anthropic-version': '1' })).toEqual({
      type: 'models',
      protocol: 'anthropic',
      id: 'x',
    });
    expect(routeOf('GET', '/v1beta/models', {})).toEqual({ type: 'models', protocol: 'gemini' });
  });

  it('has a route for every address', () => {
    const address = fc.oneof(
      fc.string(),
      fc.webPath(),
      fc.string().map((name) => `/v1beta/models/${name}:generateContent`),
    );
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'), address, (method, any) => {
        expect(routeOf(method, any, {}).type).toBeTypeOf('string');
      }),
    );
  });
});

it('reads a path of many slashes at once', () => {
  expect(routeOf('POST', `${'/'.repeat(300_000)}x`, {})).toMatchObject({ type: 'refuse', status: 404 });
  expect(routeOf('POST', '/'.repeat(300_000), {})).toEqual({ type: 'home' });
});
