/** A model that answers what was recorded: `x-bench: SESSION/TURN` says which answer, as OpenAI chat streams it. */
import { createServer } from 'node:http';

const piece = 24; // characters in a delta, as providers send them

export function startUpstream(sessions) {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      requests++;
      const [session, turn] = String(request.headers['x-bench']).split('/').map(Number);
      const { text, calls } = sessions[session].turns[turn];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (delta, rest = {}) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] })}\n\n`,
        );
      for (let at = 0; at < text.length; at += piece) chunk({ content: text.slice(at, at + piece) });
      for (const [index, { id, tool, input }] of calls.entries())
        chunk({
          tool_calls: [
            { index, id, type: 'function', function: { name: tool, arguments: JSON.stringify(input ?? {}) } },
          ],
        });
      chunk({}, { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' });
      response.end('data: [DONE]\n\n');
    });
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}`,
        get requests() {
          return requests;
        },
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}
