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
