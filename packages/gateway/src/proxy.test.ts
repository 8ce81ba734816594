import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proxyFor } from './proxy.js';
import { createUpstream, type UpstreamRequest } from './upstream.js';

test.each([
  ['https://api.openai.com', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
  ['https://api.openai.com', { https_proxy: 'proxy:3128', HTTPS_PROXY: 'http://other' }, 'http://proxy:3128/'],
  ['https://api.openai.com', { HTTPS_PROXY: 'https://a:b@proxy' }, 'https://a:b@proxy/'],
  ['https://api.openai.com', { HTTPS_PROXY: '' }, undefined],
  ['https://api.openai.com', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
  ['http://10.0.0.5:11434', { HTTPS_PROXY: 'http://proxy' }, undefined],
  ['http://10.0.0.5:11434', { HTTP_PROXY: 'http://proxy' }, 'http://proxy/'],
  ['http://models.example', { http_proxy: 'proxy:3128', NO_PROXY: 'models.example:443' }, 'http://proxy:3128/'],
  ['http://models.example', { HTTP_PROXY: 'http://proxy', NO_PROXY: 'models.example:80' }, undefined],
  ['http://localhost:11434', { HTTP_PROXY: 'http://proxy' }, undefined],
  ['https://127.0.0.1:8443', { HTTPS_PROXY: 'http://proxy' }, undefined],
  ['https://api.openai.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'a.example, openai.com' }, undefined],
  ['https://api.openai.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '.OpenAI.com:443' }, undefined],
  ['https://api.openai.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '*.openai.com' }, undefined],
  ['https://api.openai.com', { HTTPS_PROXY: 'http://proxy', no_proxy: '*' }, undefined],
  ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '2001:DB8::1' }, undefined],
  ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '[2001:db8::1]:443' }, undefined],
  ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '[2001:db8::1]:8080,db8::1' }, 'http://proxy/'],
  [
    'https://api.openai.com',
    { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'openai.com:8443,penai.com,,.' },
    'http://proxy/',
  ],
])('%s with %j is reached through %s', (url, environment, proxy) => {
  expect(proxyFor(new URL(url), environment)?.href).toBe(proxy);
});

/** A proxy that answers in one way, and what it was asked and sent. */
async function proxyThat(answers: string) {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', (asked) => {
      heard.push(asked);
      socket.write(answers);
      socket.once('data', (next) => {
        heard.push(next);
        socket.destroy();
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

function asked(environment: NodeJS.ProcessEnv, address = 'https://api.openai.example/v1/models'): Promise<unknown> {
  const upstream = createUpstream({ environment });
  onTestFinished(() => upstream.close());
  const url = new URL(address);
  const request: UpstreamRequest = {
    ...{ url, method: 'GET', headers: new Headers(), body: undefined, signal: new AbortController().signal },
  };
  return upstream.ask(request).then(
    () => 'answered',
    (cause: Error) => cause.message,
  );
}

test('a proxy is asked for a tunnel, with the name and the password that it wants, and TLS goes through it', async () => {
  const { address, heard } = await proxyThat('HTTP/1.1 200 Connection established\r\n\r\n');
  await asked({ HTTPS_PROXY: `http://ada:se%3Acret@${address}` });
  const [tunnel, hello] = heard;
  expect(String(tunnel)).toMatch(/^CONNECT api\.openai\.example:443 HTTP\/1\.1\r\n/);
  expect(String(tunnel)).toContain(
    `\r\nproxy-authorization: Basic ${Buffer.from('ada:se:cret').toString('base64')}\r\n`,
  );
  expect(hello![0]).toBe(0x16); // the first byte of a handshake
  expect(hello!.includes('api.openai.example')).toBe(true);
});

test('a proxy that will not, or is not there, is said to be the reason, without its password', async () => {
  const { address } = await proxyThat('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
  const host = 'https://api.openai.example';
  expect(await asked({ HTTPS_PROXY: `http://a:secret@${address}` })).toBe(
    `${host} could not be reached (the proxy answered with status 407)`,
  );
  expect(await asked({ HTTPS_PROXY: 'http://a:secret@127.0.0.1:9' })).toBe(
    `${host} could not be reached (the proxy could not be reached: ECONNREFUSED)`,
  );
  expect(await asked({ HTTPS_PROXY: 'socks5://a:secret@host' })).toMatch(/HTTPS_PROXY is no address such as http:/);
});

test('an address without TLS is named to the proxy, which asks in its place', async () => {
  const address = 'http://models.example:8000/v1/models?all=1';
  const host = 'http://models.example:8000';
  const { address: proxy, heard } = await proxyThat('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  expect(await asked({ HTTP_PROXY: `http://ada:secret@${proxy}` }, address)).toBe('answered');
  const [head, ...headers] = String(heard[0]).split('\r\n');
  expect(head).toBe(`GET ${address} HTTP/1.1`);
  expect(headers).toContain('host: models.example:8000');
  expect(headers).toContain(`proxy-authorization: Basic ${Buffer.from('ada:secret').toString('base64')}`);
  const { address: wary } = await proxyThat('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
  expect(await asked({ HTTP_PROXY: wary }, address)).toBe(
    `${host} could not be reached (the proxy answered with status 407)`,
  );
  expect(await asked({ HTTP_PROXY: '127.0.0.1:9' }, address)).toBe(
    `${host} could not be reached (the proxy could not be reached: ECONNREFUSED)`,
  );
});
