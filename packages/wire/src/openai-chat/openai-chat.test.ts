import { translatorLaws } from '@loopfuse/testkit';
import { expect, test } from 'vitest';
import { trafficBeside } from '../testing/traffic-beside.js';
import { openaiChat } from './index.js';

translatorLaws(openaiChat, trafficBeside(import.meta.url));

test('a chunk that says there is no error is no error, and does not end the answer', () => {
  const reader = openaiChat.readAnswer();
  reader.read({ error: null, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] });
  expect({ complete: reader.complete, error: reader.error }).toEqual({ complete: false, error: undefined });
  reader.read({ error: { message: 'overloaded' } });
  expect({ complete: reader.complete, error: reader.error }).toEqual({ complete: true, error: 'overloaded' });
});

test('what stands among the calls and is none makes none', () => {
  const reader = openaiChat.readAnswer();
  const tool_calls = [null, 7, { index: 2, id: 'a', function: { name: 'read', arguments: '{}' } }, 'x'];
  const events = reader.read({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }] });
  expect(events).toEqual([{ type: 'tool-call', id: 'a', tool: 'read', input: {} }]);
});

test.each(['', 'null', '{}'])(
  'a call with the arguments %j is given nothing, in an answer as in a request',
  (source) => {
    const call = { id: 'a', type: 'function', function: { name: 'list', arguments: source } };
    const delta = { tool_calls: [{ index: 0, ...call }] };
    expect(openaiChat.readAnswer().read({ choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] })).toEqual([
      { type: 'tool-call', id: 'a', tool: 'list', input: {} },
    ]);
    const { messages } = openaiChat.readRequest({ messages: [{ role: 'assistant', tool_calls: [call] }] });
    expect(messages[0]?.calls).toEqual([{ id: 'a', tool: 'list', input: {} }]);
  },
);

test('a legacy function call is read in pieces, asked again about, and joined with its result', () => {
  const reader = openaiChat.readAnswer();
  const read = (delta: object, finish_reason: string | null = null) =>
    reader.read({ choices: [{ index: 0, delta, finish_reason }] });
  expect(read({ role: 'assistant', content: null, function_call: { name: 'read', arguments: '' } })).toEqual([]);
  expect(read({ function_call: { arguments: '{"path":' } })).toEqual([]);
  expect(read({ function_call: { arguments: '"a"}' } })).toEqual([]);
  expect(reader.open).toBe(true);
  expect(read({}, 'function_call')).toEqual([{ type: 'tool-call', id: 'call-0', tool: 'read', input: { path: 'a' } }]);
  const asked = {
    functions: [{ name: 'read', parameters: { type: 'object' } }],
    messages: [{ role: 'user', content: 'x' }],
  };
  const again = openaiChat.withRefusal(asked, reader.said(), [{ id: 'call-0', tool: 'read', text: 'no' }]);
  const function_call = { name: 'read', arguments: '{"path":"a"}' };
  expect(again).toEqual({
    ...asked,
    messages: [
      ...asked.messages,
      { role: 'assistant', content: null, function_call },
      { role: 'function', name: 'read', content: 'no' },
    ],
  });
  const { messages, tools } = openaiChat.readRequest(again);
  expect(tools.map(({ name }) => name)).toEqual(['read']);
  expect(messages[1]?.calls).toEqual([{ id: 'place-0', tool: 'read', input: { path: 'a' } }]);
  expect(messages[2]?.results).toEqual([{ id: 'place-0', tool: 'read', text: 'no' }]);
});
