import { sse } from '@loopfuse/wire';
import { afterEach, expect, it } from 'vitest';
import { before } from './testing/before.js';
import { type RawServer, rawRequest, rawServer } from './testing/raw.js';

let upstream: RawServer | undefined;
let gateway: Awaited<ReturnType<typeof before>> | undefined;
afterEach(async () => {
  await gateway?.close();
  await upstream?.close();
});

/** A search that the provider ran, as two blocks. */
function search(nth: number) {
  const id = `srvtoolu_${nth}`;
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: 'the same' } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [{ type: 'web_search_result', url: 'https://a' }] },
  ];
}

const own = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } };

function answerOf(stream: boolean, blocks: readonly object[]): string {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
  if (!stream) return JSON.stringify({ ...message, content: blocks, stop_reason: 'tool_use' });
  return [
    sse({ type: 'message_start', message: { ...message, content: [] } }, 'message_start'),
    ...blocks.flatMap((content_block, index) => [
      sse({ type: 'content_block_start', index, content_block } as never, 'content_block_start'),
      sse({ type: 'content_block_stop', index }, 'content_block_stop'),
    ]),
    sse({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, 'message_delta'),
    sse({ type: 'message_stop' }, 'message_stop'),
  ].join('');
}

async function ask(stream: boolean, blocks: readonly object[]) {
  let asked = 0;
  const type = stream ? 'text/event-stream' : 'application/json';
  const answer = answerOf(stream, blocks);
  upstream = await rawServer((_, outgoing) => {
    asked++;
    outgoing.writeHead(200, { 'content-type': type }).end(answer);
  });
  gateway = await before(upstream.url);
  const tools = [{ name: 'read', input_schema: { type: 'object' } }];
  const body = JSON.stringify({ model: 'm', stream, tools, messages: [{ role: 'user', content: 'Search.' }] });
  const { bytes } = await rawRequest(`${gateway.url}/v1/messages`, { body });
  const actions = gateway.events.flatMap((event) => (event.type === 'action' ? [event.action] : []));
  const [session] = await gateway.gateway.sessions();
  return { answer, text: bytes.toString(), asked, actions, calls: session?.about.calls };
}

it.each([true, false])(
  'lets be what the provider searches itself, beside a call of the agent (stream: %s)',
  async (stream) => {
    const { answer, text, asked, actions, calls } = await ask(stream, [...search(1), own]);
    expect({ text, asked, actions, calls }).toEqual({ text: answer, asked: 1, actions: [], calls: 1 });
  },
);

it('stops an answer in which the provider searches the same for ever, and refuses nothing that it ran', async () => {
  const { text, asked, actions } = await ask(true, Array.from({ length: 40 }, (_, nth) => search(nth)).flat());
  expect(text).toMatch(/Loopfuse stopped this run/);
  expect(text).not.toContain('srvtoolu_39');
  expect({ asked, last: actions.at(-1) }).toEqual({ asked: 1, last: 'stop' });
});
