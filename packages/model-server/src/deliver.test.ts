import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Delivery, deliver, type Parcel } from './deliver.js';
import { specs } from './specs.js';

const ways: Record<string, (client: Socket, response: ServerResponse) => void> = {
  'is closing already': (_, response) => response.socket?.destroy(),
  'has been reset without notice': (client) => client.resetAndDestroy(),
};

it.each(Object.entries(ways))('knows the client gone where a frame meets a connection that %s', async (_, close) => {
  const server = createServer((_, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const frames = function* () {
      yield 'data: 1\n\n';
      close(client, response);
      yield 'data: 2\n\n';
    };
    const parcel = { reply: {}, body: {}, framing: 'events', headers: {}, signal: gone.signal } as const;
    const spec = { ...specs['openai-chat'], frames };
    deliver(response, { ...parcel, spec, answer: {} as Parcel['answer'] }).then(
      (delivery) => server.emit('delivered', delivery),
      (cause) => server.emit('error', cause),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const [delivery]: Delivery[] = await once(server, 'delivered');
  expect(delivery).toBe('gone');
  server.close();
});
