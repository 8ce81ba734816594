import { expect, test } from 'vitest';
import { createAccess } from './access.js';

const statusOf = (answer: Request | { readonly status: number }) => (answer instanceof Request ? 'in' : answer.status);

test('with a token, a path that is open may be read without it, and nothing else', () => {
  const access = createAccess('t', ['/healthz']);
  const ask = (path: string, init?: RequestInit) => statusOf(access(new Request(`http://gateway:8787${path}`, init)));
  expect(ask('/healthz')).toBe('in');
  expect(ask('/healthz', { method: 'POST' })).toBe(401);
  expect(ask('/healthz/x')).toBe(401);
  expect(ask('/v1/models')).toBe(401);
  expect(ask('/v1/models', { headers: { 'x-loopfuse-token': 't' } })).toBe('in');
  expect(ask('/~t/v1/models')).toBe('in');
  expect(ask('/~/v1/models')).toBe(401);
});

test('a token in the path is taken out of it', () => {
  const request = createAccess('t')(new Request('http://gateway:8787/~t/v1/models?x=1'));
  expect(request).toBeInstanceOf(Request);
  expect((request as Request).url).toBe('http://gateway:8787/v1/models?x=1');
});
