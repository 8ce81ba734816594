import { createServer, request } from 'node:http';

/** A proxy that passes everything on and keeps what went by, byte for byte. */
export async function startRecorder(upstream) {
  const exchanges = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const exchange = {
      method: incoming.method,
      path: incoming.url,
      request: body.toString('latin1'),
      status: 0,
      response: '',
    };
    exchanges.push(exchange);
    const forwarded = request(
      upstream + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        exchange.status = answer.statusCode;
        exchange.contentType = answer.headers['content-type'];
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.on('data', (chunk) => {
          exchange.response += chunk.toString('latin1');
          outgoing.write(chunk);
        });
        answer.on('end', () => outgoing.end());
        answer.on('error', () => outgoing.destroy());
      },
    );
    outgoing.on('close', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\n\r\n'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    exchanges,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
