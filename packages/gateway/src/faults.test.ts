import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import * as zlib from 'node:zlib';
import { askModel, startModelServer } from '@loopfuse/model-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGateway } from './gateway.js';
import type { GatewayEvent } from './gateway-event.js';
import { listen } from './listen.js';
import { before, chatRequest } from './testing/before.js';
import { type RawServer, rawRequest, rawServer } from './testing/raw.js';

let upstream: RawServer | undefined;
let gateway: Awaited<ReturnType<typeof before>> | undefined;
afterEach(async () => {
  await gateway?.close();
  await upstream?.close();
  upstream = undefined;
});

const chat = '/v1/chat/completions';
const packers: Readonly<Record<string, ((text: string) => Buffer) | undefined>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync, // from Node 22.15 on
};
const user = { role: 'user', text: 'Do it.', reasoning: '', calls: [], results: [] } as const;
const tool = {
  name: 'read',
  description: '',
  takes: 'object',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
} as const;
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const partOfCall =
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read","arguments":"{"}}]}}]}\n\n';
const delta = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;

describe('when something fails, the gateway', () => {
  it('says that an upstream cannot be reached, in the client’s protocol', async () => {
    gateway = await before('http://127.0.0.1:9');
    const openai = await rawRequest(gateway.url + chat, { body: chatRequest() });
    expect(openai.status).toBe(502);
    expect(JSON.parse(openai.bytes.toString()).error.message).toMatch(/could not be reached/);
    const anthropic = await rawRequest(`${gateway.url}/v1/messages`, { body: chatRequest() });
    expect(JSON.parse(anthropic.bytes.toString())).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });

  it('does not wait for an upstream that answers with another protocol', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    gateway = await before(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { status, bytes } = await rawRequest(gateway.url + chat, { body: chatRequest() });
    server.close();
    expect(status).toBe(502);
    expect(bytes.toString()).toContain('closed the connection without an answer');
  });

  it('passes on headers of an upstream that are as long as those it takes itself', async () => {
    upstream = await rawServer((_, outgoing) => outgoing.writeHead(200, { 'x-long': 'a'.repeat(40_000) }).end('{}'));
    gateway = await before(upstream.url);
    const { status, headers } = await rawRequest(`${gateway.url}/v1/models`, { method: 'GET' });
    expect([status, headers['x-long']?.length]).toEqual([200, 40_000]);
  });

  it('gives up on an upstream that never answers', async () => {
    upstream = await rawServer(() => {});
    gateway = await before(upstream.url, { answerWithinMs: 50 });
    expect((await rawRequest(gateway.url + chat, { body: chatRequest() })).status).toBe(504);
  });

  it('cuts the client’s answer where the upstream cuts its own, and says so after every frame that came', async () => {
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(`${delta('half')}data: {"choi`, () => setTimeout(() => outgoing.destroy(), 20));
    });
    gateway = await before(upstream.url);
    const { cut, bytes } = await rawRequest(gateway.url + chat, { body: chatRequest() });
    expect(cut).toBe(true);
    const [first, last, ...rest] = bytes.toString().split(/(?<=\n\n)/);
    expect([first, rest]).toEqual([delta('half'), []]);
    expect(JSON.parse(last!.slice('data: '.length)).error).toMatchObject({
      type: 'server_error',
      message: expect.stringMatching(/closed the connection before its answer was complete/),
    });
    expect(gateway.events.filter(({ type }) => type === 'fault')).toHaveLength(1);
  });

  it.each(['text', 'a call'])('says so in each protocol, in the middle of %s', async (where) => {
    const text = 'One two three four five six seven eight nine ten.';
    const parts = where === 'text' ? [{ text }] : [{ call: { tool: 'read', input: { path: text } } }];
    const model = await startModelServer({ script: () => ({ parts, fault: { type: 'cut', after: 5 } }) });
    gateway = await before(model.url);
    for (const protocol of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const) {
      if (protocol === 'gemini' && where === 'a call') continue; // its calls come in one piece
      const answer = await askModel({ url: gateway.url, protocol, stream: true, messages: [user], tools: [tool] });
      expect(answer).toMatchObject({ calls: [], broken: expect.any(Error) });
      expect(answer.error).toMatch(/closed the connection before its answer was complete/);
      expect(text.startsWith(answer.text)).toBe(true);
    }
    await model.close();
  });

  it('says so where an answer in one piece is cut', async () => {
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      outgoing.write('{"choices":', () => setTimeout(() => outgoing.destroy(), 20));
    });
    gateway = await before(upstream.url);
    const { status, bytes } = await rawRequest(gateway.url + chat, { body: chatRequest('Do it.', false) });
    expect(status).toBe(502);
    expect(JSON.parse(bytes.toString()).error.message).toMatch(/before its answer was complete/);
  });

  it('says nothing of it after the end of an answer, or when it is the client that leaves', async () => {
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(`${delta('whole')}${finish}data: [DONE]\n\n`, () => setTimeout(() => outgoing.destroy(), 20));
    });
    gateway = await before(upstream.url);
    const { bytes } = await rawRequest(gateway.url + chat, { body: chatRequest() });
    expect(bytes.toString()).toBe(`${delta('whole')}${finish}data: [DONE]\n\n`);
    expect(gateway.events.filter(({ type }) => type === 'fault')).toEqual([]);
  });

  it('passes 200 MB on without keeping them: while the client does not read, the upstream waits', async () => {
    const piece = Buffer.alloc(1 << 20, 120);
    let sent = 0;
    upstream = await rawServer(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      for (; sent < 200; sent++)
        if (!outgoing.write(piece)) await new Promise((resolve) => outgoing.once('drain', resolve));
      outgoing.end();
    });
    gateway = await before(upstream.url);
    const response = await fetch(gateway.url + chat, { method: 'POST', body: chatRequest() });
    await vi.waitFor(() => expect(sent).toBeGreaterThan(0), { timeout: 15_000 });
    for (let last = -1; last !== sent; await new Promise((resolve) => setTimeout(resolve, 500))) last = sent;
    expect(sent).toBeLessThan(64);
    let size = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) size += chunk.length;
    expect(size).toBe(200 * 2 ** 20);
  });

  it('closes the upstream as soon as the client leaves', async () => {
    let closed = false;
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(delta('begun'));
      outgoing.on('close', () => {
        closed = true;
      });
    });
    gateway = await before(upstream.url);
    const leaving = new AbortController();
    const response = await fetch(gateway.url + chat, { method: 'POST', body: chatRequest(), signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 15_000 });
  });

  it.each([
    ['text', {}, delta('begun')],
    ['a call', {}, `${delta('begun')}${partOfCall}`],
    ['a packed answer', { 'content-encoding': 'gzip' }, zlib.gzipSync(delta('begun')).subarray(0, 20)],
  ])('closes the upstream when nobody reads on, though it is silent in the middle of %s', async (_, packing, begun) => {
    let closed = false;
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', ...packing }).write(begun);
      outgoing.on('close', () => {
        closed = true;
      });
    });
    gateway = await before(upstream.url);
    // Not every server that a gateway is put into tells it by the signal of the request.
    const request = new Request(gateway.url + chat, { method: 'POST', body: chatRequest() });
    const reader = (await gateway.gateway.handle(request)).body!.getReader();
    await reader.read();
    const waiting = reader.read();
    await new Promise((resolve) => setImmediate(resolve)); // it has looked at all that came
    await reader.cancel();
    await waiting;
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 15_000 });
    expect(gateway.events.filter(({ type }) => type === 'fault')).toEqual([]);
  });

  it('cuts the answers that do not end in time when it is closed, and does not blame the model for it', async () => {
    upstream = await rawServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(delta('begun')); // and it never ends
    });
    const events: GatewayEvent[] = [];
    const guard = createGateway({
      upstreams: { openai: new URL(upstream.url) },
      onEvent: (event) => events.push(event),
    });
    const listener = await listen(guard.handle);
    const response = await fetch(listener.url + chat, { method: 'POST', body: chatRequest() });
    const cut = expect(response.text()).rejects.toThrow();
    await listener.close(100);
    await guard.close();
    await cut;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(events.filter(({ type }) => type === 'fault')).toEqual([]);
  });

  it('asks again when a connection that was kept is closed as it is used again', async () => {
    const sockets = new Map<Socket, number>();
    let answered = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        if (!bytes.includes('HTTP/1.1')) return;
        const requests = (sockets.get(socket) ?? 0) + 1;
        sockets.set(socket, requests);
        if (requests > 1) return socket.destroy(); // an idle connection that timed out at the worst moment
        answered++;
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    gateway = await before(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (let k = 0; k < 6; k++)
      expect((await rawRequest(gateway.url + chat, { body: chatRequest(`prompt ${k}`) })).status).toBe(200);
    expect(answered).toBe(6);
    expect([...sockets.values()]).toContain(2);
    await gateway.close();
    for (const socket of sockets.keys()) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('passes on what it cannot read, and what is too large to be read', async () => {
    const seen: number[] = [];
    upstream = await rawServer((_, outgoing, body) => {
      seen.push(body.length);
      outgoing.end('{}');
    });
    gateway = await before(upstream.url, { mostRequestBytes: 1000 });
    for (const body of ['no json', '[1]', 'null', `{"messages":"${'x'.repeat(5000)}"}`]) {
      expect((await rawRequest(gateway.url + chat, { body })).status).toBe(200);
      expect(seen.at(-1)).toBe(body.length);
    }
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'SECRET-packing'])(
    'reads a request packed with %s, or says that it does not',
    async (packing) => {
      let received: Buffer = Buffer.alloc(0);
      upstream = await rawServer((_, outgoing, body) => {
        received = body;
        outgoing.end('{}');
      });
      gateway = await before(upstream.url);
      const pack = packers[packing];
      const body = pack?.(chatRequest()) ?? Buffer.from('packed otherwise');
      expect((await rawRequest(gateway.url + chat, { body, headers: { 'content-encoding': packing } })).status).toBe(
        200,
      );
      expect(received.equals(body)).toBe(true);
      expect(await gateway.gateway.sessions()).toHaveLength(pack === undefined ? 0 : 1);
      const faults = gateway.events.filter(({ type }) => type === 'fault');
      expect(faults).toEqual(
        pack !== undefined ? [] : [expect.objectContaining({ message: expect.stringMatching(/passed on unread/) })],
      );
      expect(JSON.stringify(faults)).not.toContain('SECRET');
    },
  );

  it('lets an agent go on when a detector fails', async () => {
    upstream = await rawServer((_, outgoing) =>
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${delta('fine')}data: [DONE]\n\n`),
    );
    gateway = await before(upstream.url, {
      policy: () => {
        throw new Error('a fault of ours');
      },
    });
    const { status, bytes } = await rawRequest(gateway.url + chat, { body: chatRequest() });
    expect(status).toBe(200);
    expect(bytes.toString()).toBe(`${delta('fine')}data: [DONE]\n\n`);
  });
});
