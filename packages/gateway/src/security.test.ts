import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGateway } from './gateway.js';
import { listen } from './listen.js';
import { before, chatRequest } from './testing/before.js';
import { type RawServer, rawRequest, rawServer } from './testing/raw.js';

let upstream: RawServer | undefined;
let gateway: Awaited<ReturnType<typeof before>> | undefined;
afterEach(async () => {
  await gateway?.close();
  await upstream?.close();
});

const chat = '/v1/chat/completions';

describe('the gateway', () => {
  it('listens beyond this machine only with a token', async () => {
    const { handle, close } = createGateway();
    await expect(listen(handle, { host: '0.0.0.0' })).rejects.toThrow(/token/);
    await close();
  });

  it('lets in who has the token, in a header or before the path, and nobody else', async () => {
    const paths: string[] = [];
    const headers: unknown[] = [];
    upstream = await rawServer((incoming, outgoing) => {
      paths.push(incoming.url!);
      headers.push(incoming.headers['x-loopfuse-token']);
      outgoing.end('{}');
    });
    gateway = await before(upstream.url, {}, { token: 'open sesame' });
    const ask = (path: string, headers = {}) => rawRequest(gateway!.url + path, { method: 'GET', headers });
    expect((await ask('/v1/models')).status).toBe(401);
    expect((await ask('/v1/models', { 'x-loopfuse-token': 'wrong' })).status).toBe(401);
    expect((await ask('/~wrong/v1/models')).status).toBe(401);
    expect((await ask('/v1/models', { 'x-loopfuse-token': 'open sesame' })).status).toBe(200);
    expect((await ask('/~open%20sesame/v1/models')).status).toBe(200);
    expect(paths).toEqual(['/v1/models', '/v1/models']);
    expect(headers).toEqual([undefined, undefined]);
  });

  it('answers without a token only to the names of this machine', async () => {
    upstream = await rawServer((_, outgoing) => outgoing.end('{}'));
    gateway = await before(upstream.url);
    const ask = (host: string) => rawRequest(`${gateway!.url}/v1/models`, { method: 'GET', headers: { host } });
    expect((await ask('evil.example')).status).toBe(403);
    expect((await ask(`localhost:${gateway.port}`)).status).toBe(200);
  });

  it('asks only the upstreams it was given, whatever a request says', async () => {
    const hosts: unknown[] = [];
    upstream = await rawServer((incoming, outgoing) => {
      hosts.push(incoming.headers.host, incoming.url);
      outgoing.end('{}');
    });
    gateway = await before(`${upstream.url}/base/`);
    await rawRequest(`${gateway.url}//evil.example/v1/models`, { method: 'GET' });
    await rawRequest(`${gateway.url}/../../v1/models`, {
      method: 'GET',
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    const { host } = new URL(upstream.url);
    expect(hosts).toEqual([host, '/base//evil.example/v1/models', host, '/base/v1/models']);
  });

  it('keeps headers of one connection from the other', async () => {
    let received: Record<string, unknown> = {};
    upstream = await rawServer((incoming, outgoing) => {
      received = incoming.headers;
      outgoing
        .writeHead(200, {
          connection: 'close, x-private',
          'x-private': '1',
          'x-public': '2',
          'keep-alive': 'timeout=9',
        })
        .end('{}');
    });
    gateway = await before(upstream.url);
    const answer = await rawRequest(gateway.url + chat, {
      body: chatRequest(),
      headers: {
        connection: 'close, x-mine',
        'x-mine': '1',
        'proxy-authorization': 'Basic x',
        te: 'trailers',
        'x-theirs': '3',
      },
    });
    expect(received).toMatchObject({ 'x-theirs': '3' });
    for (const name of ['x-mine', 'proxy-authorization', 'te']) expect(received).not.toHaveProperty(name);
    expect(answer.headers).toMatchObject({ 'x-public': '2' });
    expect(answer.headers).not.toHaveProperty('x-private');
  });

  it('refuses a WebSocket, so that clients fall back', async () => {
    gateway = await before('http://127.0.0.1:9');
    const status = await new Promise<string>((resolve) => {
      const socket = connect(gateway!.port, '127.0.0.1');
      socket.write(
        'GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      );
      socket.once('data', (data) => {
        resolve(data.toString().split('\r\n')[0]!);
        socket.destroy();
      });
    });
    expect(status).toMatch(/^HTTP\/1\.1 426 /);
  });

  it('bounds headers and does not wait for slow ones', async () => {
    gateway = await before(
      'http://127.0.0.1:9',
      {},
      { mostHeaderBytes: 4096, headersWithinMs: 100, requestWithinMs: 200 },
    );
    const large = await rawRequest(`${gateway.url}/v1/models`, {
      method: 'GET',
      headers: { 'x-large': 'x'.repeat(8000) },
    });
    expect(large.status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, k) => [`x-${k}`, 'some value']));
    expect((await rawRequest(`${gateway.url}/v1/models`, { method: 'GET', headers: many })).status).toBe(431);
  });

  it.each([
    ['headers that never end', 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
    ['a body that never ends', 'POST /v1/models HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999\r\n\r\n{'],
  ])('closes a connection with %s, and serves the others meanwhile', async (_, begin) => {
    upstream = await rawServer((__, outgoing) => outgoing.end('{}'));
    gateway = await before(upstream.url, {}, { headersWithinMs: 400, requestWithinMs: 800 });
    const slow = Array.from({ length: 20 }, () => {
      const socket = connect(gateway!.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(begin);
      const drip = setInterval(() => socket.write('x'), 50);
      return new Promise<void>((resolve) => {
        socket.on('close', () => {
          clearInterval(drip);
          resolve();
        });
        socket.resume();
      });
    });
    expect((await rawRequest(`${gateway.url}/v1/models`, { method: 'GET' })).status).toBe(200);
    await Promise.all(slow);
  });

  it('lets go of a client that reads nothing, and of its upstream', async () => {
    let closed = false;
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.on('close', () => {
        closed = true;
      });
      const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(500) } }] })}\n\n`;
      const more = () => {
        while (!closed && outgoing.write(piece.repeat(50)));
      };
      outgoing.on('drain', more);
      more();
    });
    gateway = await before(upstream.url, { onLoop: 'shadow' }, { readWithinMs: 300 });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => {});
    const body = chatRequest();
    socket.write(`POST ${chat} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 20_000 });
    socket.destroy();
  });

  it('answers a request that is none, and goes on', async () => {
    upstream = await rawServer((_, outgoing) => outgoing.end('{}'));
    gateway = await before(upstream.url, {}, { token: 'open sesame' });
    const ask = (path: string, headers = {}) => rawRequest(gateway!.url + path, { method: 'GET', headers });
    expect((await ask('/v1/models', { host: 'a b' })).status).toBe(400);
    expect((await ask('/~%E0%A4%A/v1/models')).status).toBe(401);
    expect((await ask('/v1/models', { 'x-loopfuse-token': 'open sesame' })).status).toBe(200);
  });

  it('says nothing of keys, prompts and results in what it reports', async () => {
    upstream = await rawServer((_, outgoing) => outgoing.writeHead(500).end('SECRET-RESULT'));
    gateway = await before(upstream.url);
    const headers = { authorization: 'Bearer SECRET-KEY', 'x-api-key': 'SECRET-KEY' };
    await rawRequest(gateway.url + chat, { body: chatRequest('SECRET-PROMPT'), headers });
    await rawRequest(gateway.url + chat, { body: 'SECRET-PROMPT', headers });
    await upstream.close();
    const failed = await rawRequest(gateway.url + chat, { body: chatRequest('SECRET-PROMPT'), headers });
    const said = JSON.stringify([gateway.events, await gateway.gateway.sessions(), failed.bytes.toString()]);
    expect(gateway.events.length).toBeGreaterThan(0);
    expect(said).not.toContain('SECRET');
  });
});
