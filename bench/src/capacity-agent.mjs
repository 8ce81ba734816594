/** An agent that plays a recorded session: each request holds the whole history, as agents send it. */
import { Agent, request } from 'node:http';

const connections = new Agent({ keepAlive: true, maxSockets: 512 });

/**
 * @param {{ url: () => string; session: number; key: string; recorded: import('./capacity-sessions.mjs').Recorded;
 *   pace: (gapMs: number | undefined) => Promise<void>; until: () => boolean; onAnswer: (ms: number, status: number) => void }} options
 * @returns {Promise<'done' | 'stopped'>}
 */
export async function playSession({ url, session, key, recorded, pace, until, onAnswer }) {
  const messages = [{ role: 'user', content: recorded.prompt }];
  for (const [turn, { text, calls, results, gapMs }] of recorded.turns.entries()) {
    if (until()) return 'done';
    await pace(gapMs);
    const body = JSON.stringify({ model: 'm', stream: true, messages, tools });
    const headers = { 'x-bench': `${session}/${turn}`, 'x-loopfuse-session': key };
    const started = performance.now();
    const answer = await ask(url, body, headers);
    onAnswer(performance.now() - started, answer.status);
    if (answer.status !== 200 || answer.text.includes('Loopfuse stopped this run')) return 'stopped';
    messages.push({
      role: 'assistant',
      content: text,
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, tool, input }) => ({
              id,
              type: 'function',
              function: { name: tool, arguments: JSON.stringify(input ?? {}) },
            })),
          }),
    });
    for (const { id, text: output } of results) messages.push({ role: 'tool', tool_call_id: id, content: output });
  }
  return 'done';
}

const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];

/** Sends again what got no answer, as the clients of the providers do. */
async function ask(url, body, headers) {
  for (let attempt = 0; ; attempt++)
    try {
      return await post(`${url()}/v1/chat/completions`, body, headers);
    } catch (cause) {
      if (attempt === 5) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt));
    }
}

function post(url, body, headers) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: connections,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        if (!incoming.complete || incoming.statusCode >= 500) reject(new Error(`cut, or ${incoming.statusCode}`));
        else resolve({ status: incoming.statusCode, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.end(body);
  });
}
