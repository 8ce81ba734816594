import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { before, chatRequest } from './testing/before.js';
import { type RawServer, rawRequest, rawServer } from './testing/raw.js';

let upstream: RawServer | undefined;
let gateway: Awaited<ReturnType<typeof before>> | undefined;
afterEach(async () => {
  await gateway?.close();
  await upstream?.close();
});

const askPaths = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages?beta=true',
  '/v1beta/models/m:streamGenerateContent?alt=sse',
];
const otherPaths = [
  '/v1/models',
  '/v1/messages/count_tokens',
  '/v1/embeddings',
  '/v1/files',
  '/anything/at?all=1',
  '/',
];
const perConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length'];

function shown(headers: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !perConnection.includes(name)));
}

describe('in allow, the gateway', () => {
  it('gives the client the status, the headers and the bytes of the upstream, whatever they are', async () => {
    let answer = { status: 200, headers: {} as Record<string, string>, pieces: [] as Buffer[] };
    let received: Buffer = Buffer.alloc(0);
    upstream = await rawServer((_, outgoing, body) => {
      received = body;
      outgoing.writeHead(answer.status, answer.headers);
      for (const piece of answer.pieces) outgoing.write(piece);
      outgoing.end();
    });
    gateway = await before(upstream.url);
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          ': ping\n\n',
          'event: ping\r\ndata: {"type":"ping"}\r\n\r\n',
          'data: {"choices":[{"delta":{"content":"héllo"}}],"x_unknown":1}\n\n',
          'data: [DONE]\n\n',
          'data: {broken\n\n',
          '\n',
        )
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          status: fc.constantFrom(200, 200, 200, 201, 302, 400, 404, 429, 500, 529, 600, 999),
          type: fc.constantFrom(
            'text/event-stream',
            'text/event-stream; charset=utf-8',
            'application/json',
            'text/plain',
          ),
          extra: fc.constantFrom(
            {},
            { 'x-request-id': 'r1', 'retry-after': '3' },
            { 'set-cookie': 'a=b', location: '/elsewhere' },
          ),
          pieces: fc.array(piece, { maxLength: 12 }),
          path: fc.constantFrom(...askPaths, ...otherPaths),
        }),
        async ({ status, type, extra, pieces, path }) => {
          answer = { status, headers: { 'content-type': type, ...extra }, pieces };
          const request = {
            body: chatRequest(),
            headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
          };
          const direct = await rawRequest(upstream!.url + path, request);
          const through = await rawRequest(gateway!.url + path, request);
          expect(received.toString()).toBe(chatRequest());
          expect(through.status).toBe(direct.status);
          expect(shown(through.headers)).toEqual(shown(direct.headers));
          expect(through.bytes.equals(direct.bytes)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('passes on a compressed answer as it is, and reads a copy', async () => {
    const chunk = (content: string) =>
      `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
    const text = chunk('I will check it once more. ').repeat(200);
    const packed = gzipSync(
      `${text}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    );
    upstream = await rawServer((_, outgoing) =>
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(packed),
    );
    gateway = await before(upstream.url);
    const { bytes, headers } = await rawRequest(`${gateway.url}/v1/chat/completions`, { body: chatRequest() });
    expect(headers['content-encoding']).toBe('gzip');
    expect(bytes.equals(packed)).toBe(true);
    expect(gateway.events.some(({ type }) => type === 'finding')).toBe(true);
  });

  it('knows what was said in a compressed answer that the client leaves', async () => {
    const packed = gzipSync(`data: {"choices":[{"index":0,"delta":{"content":"said"},"finish_reason":"stop"}]}\n\n`);
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      outgoing.write(packed); // and it goes on for ever
    });
    gateway = await before(upstream.url, { emitObserved: true });
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: chatRequest(),
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    leaving.abort();
    await vi.waitFor(
      () =>
        expect(gateway!.events).toContainEqual(
          expect.objectContaining({ type: 'observed', event: { type: 'text', text: 'said' } }),
        ),
      { timeout: 15_000 },
    );
  });

  it.each([
    ['', '/v1/chat/completions', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions', '/v1/chat/completions'],
    ['/api/v1/', '/v1/models', '/api/v1/models'],
    ['/api/v1', '/chat/completions', '/api/v1/chat/completions'],
    ['/v1', '/v1beta/models', '/v1/v1beta/models'],
    ['/v1', '/v1', '/v1/v1'],
    ['/files', '/files/x', '/files/files/x'],
  ])('asks an upstream at %s for %s: a version that both name counts once', async (base, path, expected) => {
    let asked: string | undefined;
    upstream = await rawServer((incoming, outgoing) => {
      asked = incoming.url;
      outgoing.end('{}');
    });
    gateway = await before(upstream.url + base, { mounts: new Map([['/m0', new URL(upstream.url + base)]]) });
    await rawRequest(gateway.url + path, { method: 'GET' });
    expect(asked).toBe(expected);
    await rawRequest(`${gateway.url}/m0${path}`, { method: 'GET' });
    expect(asked).toBe(base.replace(/\/$/, '') + path); // where an agent's own address was taken over, it stays
  });

  it('passes on methods, queries and bodies of paths that it does not know', async () => {
    const seen: unknown[] = [];
    upstream = await rawServer((incoming, outgoing, body) => {
      seen.push([incoming.method, incoming.url, body.toString()]);
      outgoing.writeHead(incoming.method === 'HEAD' ? 200 : 204).end();
    });
    gateway = await before(upstream.url);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])
      await rawRequest(`${gateway.url}/v1/files/a%2Fb?purpose=x%20y`, {
        method,
        ...(method === 'PUT' ? { body: 'bytes' } : {}),
      });
    expect(seen).toEqual(
      ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'].map((method) => [
        method,
        '/v1/files/a%2Fb?purpose=x%20y',
        method === 'PUT' ? 'bytes' : '',
      ]),
    );
  });

  it.each([
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    'text/plain; charset=utf-8',
    'application/octet-stream',
    'application/json',
    undefined,
  ])('streams: a piece arrives before the next one is sent, as %s', async (type) => {
    let more: (() => void) | undefined;
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, type === undefined ? {} : { 'content-type': type });
      outgoing.write('data: {"choices":[{"delta":{"content":"one"}}]}\n\n');
      more = () => outgoing.end('data: [DONE]\n\n');
    });
    gateway = await before(upstream.url);
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body: chatRequest() });
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toContain('one');
    more!();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('[DONE]');
  });
});
