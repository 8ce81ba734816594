import { expect, test } from 'vitest';
import { linesOf, readBytes } from '../testing/read-fixture.js';

type Attributes = Record<string, string | number>;

function span(id: string, at: number, attributes: Attributes): object {
  return {
    ...{ traceId: 't', spanId: id, name: id },
    ...{ startTimeUnixNano: `${at}000000000`, endTimeUnixNano: `${at + 1}000000000` },
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
    })),
  };
}

const call = { id: 'c1', type: 'function', function: { name: 'grep', arguments: '{"q":"x"}' } };
const answer = JSON.stringify({ role: 'assistant', content: 'I look.', tool_calls: [call] });

const dialects: [string, Attributes, Attributes][] = [
  [
    'OpenInference',
    {
      ...{ 'openinference.span.kind': 'LLM', 'session.id': 's', 'llm.model_name': 'gpt-5' },
      ...{ 'llm.token_count.prompt': 100, 'llm.token_count.completion': 10 },
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'I look.',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'grep',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"q":"x"}',
    },
    {
      ...{ 'openinference.span.kind': 'TOOL', 'session.id': 's', 'tool.name': 'grep' },
      ...{ 'tool_call.id': 'c1', 'input.value': '{"q":"x"}', 'output.value': 'none' },
    },
  ],
  [
    'Langfuse',
    {
      ...{ 'langfuse.observation.type': 'generation', 'langfuse.session.id': 's' },
      ...{ 'langfuse.observation.model.name': 'gpt-5', 'langfuse.observation.output': answer },
      'langfuse.observation.usage_details': '{"input":100,"output":10}',
    },
    {
      ...{ 'langfuse.observation.type': 'tool', 'langfuse.session.id': 's', 'gen_ai.tool.name': 'grep' },
      ...{ 'gen_ai.tool.call.id': 'c1', 'langfuse.observation.input': '{"q":"x"}' },
      'langfuse.observation.output': 'none',
    },
  ],
  [
    'LangSmith',
    {
      ...{ 'langsmith.span.kind': 'llm', 'langsmith.trace.session_id': 's', 'gen_ai.request.model': 'gpt-5' },
      ...{ 'gen_ai.completion': `{"choices":[{"message":${answer}}]}` },
      ...{ 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 },
    },
    {
      ...{ 'langsmith.span.kind': 'tool', 'langsmith.trace.session_id': 's', 'gen_ai.tool.name': 'grep' },
      ...{ 'gen_ai.tool.call.id': 'c1', 'gen_ai.prompt': '{"q":"x"}', 'gen_ai.completion': 'none' },
    },
  ],
  [
    'OpenLLMetry',
    {
      ...{ 'gen_ai.system': 'OpenAI', 'llm.request.type': 'chat', 'gen_ai.request.model': 'gpt-5' },
      ...{ 'traceloop.association.properties.session_id': 's' },
      ...{ 'gen_ai.prompt.0.role': 'system', 'gen_ai.prompt.0.content': 'Be brief.' },
      ...{ 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'I look.' },
      ...{ 'gen_ai.completion.0.tool_calls.0.id': 'c1', 'gen_ai.completion.0.tool_calls.0.name': 'grep' },
      'gen_ai.completion.0.tool_calls.0.arguments': '{"q":"x"}',
      ...{ 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 },
    },
    {
      ...{ 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'grep' },
      ...{ 'traceloop.association.properties.session_id': 's' },
      'traceloop.entity.input': '{"args": [], "kwargs": {"q": "x"}}',
      'traceloop.entity.output': 'none',
    },
  ],
];

test.each(dialects)('a call of an agent that speaks %s reads as one of the conventions', async (_name, chat, tool) => {
  const spans = [span('tool', 1_772_359_203, tool), span('chat', 1_772_359_201, chat)];
  const document = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  const { sessions, faults } = await readBytes([Buffer.from(JSON.stringify(document))]);
  expect(faults).toEqual([]);
  expect(sessions).toMatchObject([{ session: { id: 's', model: 'gpt-5' } }]);
  const events = sessions[0]!.events.map(({ at: _at, ...event }) => event);
  expect(events).toEqual([
    { type: 'turn-start' },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', id: 'c1', tool: 'grep', input: { q: 'x' } },
    { type: 'usage', inputTokens: 100, outputTokens: 10, model: 'gpt-5' },
    { type: 'turn-end' },
    { type: 'tool-result', id: 'c1', output: 'none' },
  ]);
});

test('OpenLLMetry’s spans have the request, and the results in the model’s input', async () => {
  const chat = { 'llm.request.type': 'chat', 'gen_ai.prompt.0.role': 'user' };
  const asked = { ...chat, 'gen_ai.prompt.0.content': '[{"type":"text","text":"Find x."}]' };
  const calls = 'gen_ai.completion.0.tool_calls.0.';
  const first = { ...asked, 'gen_ai.completion.0.role': 'assistant', [`${calls}id`]: 'c1', [`${calls}name`]: 'grep' };
  const second = {
    ...asked,
    ...{ 'gen_ai.prompt.1.role': 'assistant', 'gen_ai.prompt.1.tool_calls.0.id': 'c1' },
    ...{ 'gen_ai.prompt.2.role': 'tool', 'gen_ai.prompt.2.tool_call_id': 'c1', 'gen_ai.prompt.2.content': 'none' },
    ...{ 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'Nothing.' },
  };
  const spans = [span('a', 1_772_359_201, first), span('b', 1_772_359_203, second)];
  const { sessions } = await readBytes([Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))]);
  expect(linesOf(sessions[0]!.events).filter((line) => !line.startsWith('turn'))).toEqual([
    'prompt: Find x.',
    'call c1: grep {}',
    'result c1: none',
    'text: Nothing.',
  ]);
});

test('the AI SDK’s spans have the request', async () => {
  const asked = JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'Find x.' }] }]);
  const attributes = { 'gen_ai.request.model': 'm', 'ai.prompt.messages': asked, 'ai.response.text': 'Here.' };
  const spans = [{ ...span('a', 1_772_359_201, attributes), name: 'ai.generateText.doGenerate' }];
  const { sessions } = await readBytes([Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))]);
  expect(linesOf(sessions[0]!.events)[0]).toBe('prompt: Find x.');
});

test('LangChain’s messages are recognised by their class if they have no type', async () => {
  const made = (name: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain_core', name], kwargs });
  const asked = made('HumanMessage', { content: 'Find x.' });
  const said = made('AIMessage', { content: '', tool_calls: [{ id: 'c1', name: 'grep', args: { q: 'x' } }] });
  const result = made('ToolMessage', { content: 'none', tool_call_id: 'c1', status: 'error' });
  const of = (id: string, second: number, run: object) => ({
    ...{ id, trace_id: 't', start_time: `2026-03-01T10:00:0${second}.0`, end_time: `2026-03-01T10:00:0${second}.5` },
    ...run,
  });
  const runs = [
    of('a', 1, {
      ...{ run_type: 'llm', inputs: { messages: [[asked]] } },
      outputs: { generations: [[{ text: '', message: said }]] },
    }),
    of('b', 2, { run_type: 'tool', name: 'grep', inputs: { q: 'x' }, outputs: { output: result } }),
  ];
  const { sessions } = await readBytes([Buffer.from(runs.map((run) => `${JSON.stringify(run)}\n`).join(''))]);
  expect(linesOf(sessions[0]!.events).filter((line) => !line.startsWith('turn'))).toEqual([
    'prompt: Find x.',
    'call c1: grep {"q":"x"}',
    'result c1 failed: none',
  ]);
});
