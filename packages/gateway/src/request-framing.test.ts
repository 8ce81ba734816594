import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { before, chatRequest } from './testing/before.js';
import { type RawServer, rawServer } from './testing/raw.js';

let upstream: RawServer;
let gateway: Awaited<ReturnType<typeof before>>;
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

/** Sends these bytes and gives the head of the answer, once all of it is there. */
function answerTo(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1');
    let answer = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer to ${bytes}`)));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.on('data', (data) => {
      answer += data;
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.write(bytes);
  });
}

/** A body as a client frames it; neither where it has none. */
const framed = {
  length: (body: string) => `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  chunks: (body: string) =>
    `transfer-encoding: chunked\r\n\r\n${body === '' ? '' : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
  'length of one hop': (body: string) =>
    `connection: content-length\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
};

describe('a request with a body', () => {
  it('is one request with that body for the upstream, whatever its method, its path and its framing', async () => {
    let received: string[] = [];
    upstream = await rawServer((incoming, outgoing, body) => {
      received.push(`${incoming.method} ${incoming.url} ${body}`);
      outgoing.end('{}');
    });
    gateway = await before(upstream.url);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
          path: fc.constantFrom('/v1/files/x', '/v1/chat/completions'),
          framing: fc.constantFrom(...(Object.keys(framed) as (keyof typeof framed)[])),
          body: fc.constantFrom('', 'hello', chatRequest(), 'GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'),
        }),
        async ({ method, path, framing, body }) => {
          received = [];
          const answer = await answerTo(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${framed[framing](body)}`);
          expect(answer).toMatch(/^HTTP\/1\.1 200 /);
          await new Promise((resolve) => setTimeout(resolve, 5)); // what was smuggled would come now
          expect(received).toEqual([`${method} ${path} ${body}`]);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('a request that offers another protocol', () => {
  it('is answered as it is: clients in Java offer HTTP/2 with every request', async () => {
    let received: Record<string, unknown> = {};
    upstream = await rawServer((incoming, outgoing, body) => {
      received = { ...incoming.headers, body: body.toString() };
      outgoing.end('{}');
    });
    gateway = await before(upstream.url);
    const offer = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAAA\r\n';
    const post = 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n';
    expect(await answerTo(`${post}${offer}${framed.length(chatRequest())}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(received.body).toBe(chatRequest());
    expect(received).not.toHaveProperty('upgrade');
    expect(received).not.toHaveProperty('http2-settings');
  });
});

describe('a request that is written in an unusual way', () => {
  it('names its host with the path, as to a proxy, and goes to the same place', async () => {
    const received: unknown[] = [];
    upstream = await rawServer((incoming, outgoing) => {
      received.push(incoming.url);
      outgoing.end('{}');
    });
    gateway = await before(upstream.url);
    const ask = (host: string) =>
      answerTo(
        `POST http://${host}/v1/chat/completions?x=1 HTTP/1.1\r\nhost: localhost\r\n${framed.length(chatRequest())}`,
      );
    expect(await ask(`127.0.0.1:${gateway.port}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect(received).toEqual(['/v1/chat/completions?x=1']);
    expect(await gateway.gateway.sessions()).toHaveLength(1);
  });

  it('begins with a byte order mark, and is guarded all the same', async () => {
    let received = '';
    upstream = await rawServer((_, outgoing, body) => {
      received = body.toString();
      outgoing.end('{}');
    });
    gateway = await before(upstream.url);
    const body = `\uFEFF${chatRequest()}`;
    const post = 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n';
    expect(await answerTo(post + framed.length(body))).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toBe(body);
    expect(await gateway.gateway.sessions()).toHaveLength(1);
  });
});
