/** The smallest balancer that will do: each request to the next gateway, and past those that are gone. */
import { Agent, createServer, request } from 'node:http';

export function startBalancer(urls) {
  const connections = new Agent({ keepAlive: true, maxSockets: 512 });
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => pass(incoming, Buffer.concat(chunks), outgoing, urls.length));
  });

  function pass(incoming, body, outgoing, attempts) {
    const { hostname, port } = new URL(urls[next++ % urls.length]);
    const { method, url: path, headers } = incoming;
    const to = request({
      hostname,
      port,
      method,
      path,
      headers: { ...headers, host: `${hostname}:${port}` },
      agent: connections,
    });
    to.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.on('aborted', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    to.on('error', (cause) => {
      const refused = cause.code === 'ECONNREFUSED' && attempts > 1;
      if (refused) pass(incoming, body, outgoing, attempts - 1);
      else outgoing.destroy();
    });
    to.end(body);
  }

  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}`,
        close() {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}
