import type { Json } from 'loopfuse';
import { expect, test } from 'vitest';
import { ranByProvider } from './answer-events.js';
import { historyEvents } from './history-events.js';
import { wires } from './wires.js';

const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
const hit = (encrypted_content: string) => ({
  type: 'web_search_result',
  url: 'https://a',
  title: 'A',
  encrypted_content,
});
const found = (secret = 'abc') => ({ type: 'web_search_tool_result', tool_use_id: 's1', content: [hit(secret)] });
const own = { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } };

const searched = { type: 'tool-call', id: 's1', tool: 'web_search', input: { query: 'x' } };
const shown = {
  type: 'tool-result',
  id: 's1',
  output: '{"type":"web_search_result","url":"https://a","title":"A"}',
};
const called = { type: 'tool-call', id: 't1', tool: 'read', input: { path: 'a' } };

const streamed = (...blocks: readonly { type: string; input?: Json }[]) =>
  blocks.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: 'input' in block ? { ...block, input: {} } : block },
    ...('input' in block
      ? [
          {
            type: 'content_block_delta',
            index,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          },
        ]
      : []),
    { type: 'content_block_stop', index },
  ]);

test.each([
  ['in a stream', streamed(search, found(), own)],
  ['whole', [{ type: 'message', content: [search, found(), own], stop_reason: 'tool_use' }]],
])('a search that Anthropic ran itself is given with its result, %s, and goes back as it came', (_, chunks) => {
  const reader = wires.anthropic.readAnswer();
  const events = chunks.flatMap((chunk) => reader.read(chunk));
  expect(events).toEqual([searched, shown, called]);
  expect(ranByProvider(events)).toEqual(new Set(['s1']));
  expect(reader.said()).toEqual([{ role: 'assistant', content: [search, found(), own] }]);
  const { messages } = wires.anthropic.readRequest({ messages: reader.said() });
  expect(historyEvents(messages)).toEqual([{ type: 'turn-start' }, searched, called, shown, { type: 'turn-end' }]);
});

test('what is encrypted anew each time makes no other outcome, and an error is a failure', () => {
  const resultOf = (block: { type: string; content: Json }) => {
    const reader = wires.anthropic.readAnswer();
    return streamed(search, block).flatMap((chunk) => reader.read(chunk))[1];
  };
  expect(resultOf(found('one'))).toEqual(resultOf(found('two')));
  const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
  expect(resultOf({ ...found(), content })).toMatchObject({ failed: true });
});

const mcp = { type: 'mcp_call', id: 'm1', name: 'roll', arguments: '{"dice":2}', output: '7', error: null };

test('a call that OpenAI ran itself is given with its result, in an answer and in a history', () => {
  const events = [
    { type: 'tool-call', id: 'm1', tool: 'roll', input: { dice: 2 } },
    { type: 'tool-result', id: 'm1', output: '7' },
  ];
  const wire = wires['openai-responses'];
  expect(wire.readAnswer().read({ type: 'response.output_item.done', output_index: 0, item: mcp })).toEqual(events);
  expect(historyEvents(wire.readRequest({ input: [mcp] }).messages)).toEqual([
    { type: 'turn-start' },
    ...events,
    { type: 'turn-end' },
  ]);
});

test('a search of OpenAI is given with its sources where the request wants them, and else is no outcome', () => {
  const action = { type: 'search', query: 'x' };
  const eventsOf = (sources: object) => {
    const item = { type: 'web_search_call', id: 'w1', status: 'completed', action: { ...action, ...sources } };
    return wires['openai-responses'].readAnswer().read({ type: 'response.output_item.done', item } as Json);
  };
  expect(eventsOf({ sources: [{ type: 'url', url: 'https://a' }] })).toEqual([
    { type: 'tool-call', id: 'w1', tool: 'web_search', input: action },
    { type: 'tool-result', id: 'w1', output: '{"type":"url","url":"https://a"}' },
  ]);
  expect(eventsOf({})).toEqual([]);
});
