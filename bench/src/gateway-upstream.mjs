// A model that streams as fast as it can, all at once or one delta at a time, or one every so many milliseconds with the time
// at which it was sent.
import { createServer } from 'node:http';

const words =
  'The parser reads one line at a time and keeps what it has seen in a small table of its own so that nothing is lost '.split(
    ' ',
  );
const chunk = (content, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: content === undefined ? {} : { content }, finish_reason: finish }] })}\n\n`;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', async () => {
    const deltas = Number(request.headers['x-deltas'] ?? 50);
    const every = Number(request.headers['x-every'] ?? 0);
    const from = Number(request.headers['x-from'] ?? 0);
    const apart = request.headers['x-apart'] === '1';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let k = 0; k < deltas && !response.destroyed; k++) {
      if (every > 0) {
        await new Promise((resolve) => setTimeout(resolve, every));
        response.write(chunk(` ${performance.timeOrigin + performance.now()} `));
      } else {
        response.write(chunk(` ${words[(from * 7 + k * 13) % words.length]}${from}${k}`));
        // A turn of the event loop later, it is a piece of its own on the connection.
        if (apart) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    response.end(`${chunk(undefined, 'stop')}data: [DONE]\n\n`);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit(0));
