import { expect, test } from 'vitest';
import { readBytes } from '../testing/read-fixture.js';

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
