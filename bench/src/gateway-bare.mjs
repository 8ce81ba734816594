// A bare streaming proxy on the HTTP stack of the gateway, Node's own: pipes requests and answers, and reads nothing.
import { Agent, createServer, request } from 'node:http';

const upstream = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const server = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, host: upstream.host };
  const asked = request(
    { host: upstream.hostname, port: upstream.port, path: incoming.url, method: incoming.method, headers, agent },
    (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    },
  );
  asked.on('error', () => outgoing.destroy());
  outgoing.on('close', () => outgoing.writableFinished || asked.destroy());
  incoming.pipe(asked);
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
