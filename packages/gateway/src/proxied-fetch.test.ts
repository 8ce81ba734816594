import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proxiedFetch } from './proxied-fetch.js';

async function serving(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an address with TLS is reached through the proxy, which may say no', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(String(url));
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  const reach = proxiedFetch({ HTTPS_PROXY: `http://ada:secret@${await serving(proxy)}` });
  await expect(reach('https://judge.example/v1/chat', { method: 'POST', body: '{}' })).rejects.toThrow(
    'https://judge.example could not be reached (the proxy answered with status 403)',
  );
  expect(asked).toEqual(['judge.example:443']);
});

test('this machine, or an address that is exempt, is reached directly', async () => {
  const server = createServer((_, response) => response.end('here'));
  const address = await serving(server);
  const proxy = 'http://127.0.0.1:9';
  const reach = proxiedFetch({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'judge.invalid' });
  expect(await (await reach(`http://${address}/`)).text()).toBe('here');
  await expect(reach('https://judge.invalid/')).rejects.not.toThrow(/proxy/);
});
