import { command, failure, input, type LoopingSession, model, output, request, said } from './session.js';

// The session as observability products export it.
const callOf = (k: number) => ({
  id: `c${k}`,
  type: 'function',
  function: { name: 'bash', arguments: '{"command":"make all"}' },
});
const asked = [{ role: 'user', content: request }];
const answerOf = (k: number) => ({ role: 'assistant', content: said, tool_calls: [callOf(k)] });
const end = { role: 'assistant', content: 'I give up.' };
export function otel({ each, millis, rounds }: LoopingSession): object {
  const attribute = (key: string, value: string | number) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  });
  const span = (id: string, start: number, end: number, attributes: Record<string, string | number>) => ({
    ...{ traceId: 't1', spanId: id, name: String(attributes['gen_ai.operation.name']) },
    startTimeUnixNano: `${start}000000`,
    endTimeUnixNano: `${end}000000`,
    attributes: Object.entries({ 'gen_ai.conversation.id': 'in-otel', ...attributes }).map(([key, value]) =>
      attribute(key, value),
    ),
  });
  const answer = (parts: readonly object[]) => JSON.stringify([{ role: 'assistant', parts }]);
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model };
  const spans = [
    ...each.flatMap((k) => [
      span(`a${k}`, millis(k), millis(k), {
        ...chat,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: request }] }]),
        'gen_ai.output.messages': answer([
          { type: 'text', content: said },
          { type: 'tool_call', id: `c${k}`, name: 'bash', arguments: command },
        ]),
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': output,
      }),
      {
        ...span(`t${k}`, millis(k) + 1, millis(k) + 1, {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'bash',
          'gen_ai.tool.call.id': `c${k}`,
          'gen_ai.tool.call.arguments': JSON.stringify(command),
          'gen_ai.tool.call.result': failure,
        }),
        status: { code: 2 },
      },
    ]),
    span('end', millis(rounds), millis(rounds), {
      ...chat,
      'gen_ai.output.messages': answer([{ type: 'text', content: 'I give up.' }]),
    }),
  ];
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] };
}

export function langfuse({ each, at, rounds }: LoopingSession): object[] {
  const row = (id: string, type: string, k: number) => ({
    ...{ id, type, traceId: 'in-langfuse', startTime: at(k), endTime: at(k), level: 'DEFAULT' },
  });
  const generation = { name: 'chat', model, input: asked };
  return [
    ...each.flatMap((k) => [
      { ...row(`a${k}`, 'GENERATION', k), ...generation, output: answerOf(k), usageDetails: { input, output } },
      { ...row(`t${k}`, 'TOOL', k), name: 'bash', input: command, level: 'ERROR', statusMessage: failure },
    ]),
    { ...row('end', 'GENERATION', rounds), ...generation, output: end },
  ];
}

export function langsmith({ each, at, rounds }: LoopingSession): object[] {
  const run = (id: string, type: string, k: number) => ({
    ...{ id, run_type: type, trace_id: 'in-langsmith', start_time: at(k), end_time: at(k), error: null },
    ...{ extra: { metadata: { ls_model_name: model } }, inputs: { messages: asked } },
  });
  return [
    ...each.flatMap((k) => [
      {
        ...run(`a${k}`, 'llm', k),
        outputs: { choices: [{ message: answerOf(k) }] },
        ...{ prompt_tokens: input, completion_tokens: output },
      },
      { ...run(`t${k}`, 'tool', k), name: 'bash', inputs: command, outputs: null, error: failure },
    ]),
    { ...run('end', 'llm', rounds), outputs: { choices: [{ message: end }] } },
  ];
}

export function phoenix({ each, millis, rounds }: LoopingSession): object[] {
  const row = (id: string, kind: string, k: number) => ({
    ...{ 'context.span_id': id, 'context.trace_id': 'in-phoenix', span_kind: kind, name: kind },
    ...{ start_time: millis(k), end_time: millis(k), status_code: 'OK' },
  });
  const llm = { 'attributes.llm.model_name': model };
  return [
    ...each.flatMap((k) => [
      {
        ...{ ...row(`a${k}`, 'LLM', k), ...llm },
        'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': request }],
        'attributes.llm.output_messages': [
          {
            ...{ 'message.role': 'assistant', 'message.content': said },
            'message.tool_calls': [
              {
                'tool_call.id': `c${k}`,
                'tool_call.function.name': 'bash',
                'tool_call.function.arguments': '{"command":"make all"}',
              },
            ],
          },
        ],
        'attributes.llm.token_count.prompt': input,
        'attributes.llm.token_count.completion': output,
      },
      {
        ...{ ...row(`t${k}`, 'TOOL', k), status_code: 'ERROR', status_message: failure },
        ...{ 'attributes.tool.name': 'bash', 'attributes.input.value': JSON.stringify(command) },
      },
    ]),
    {
      ...{ ...row('end', 'LLM', rounds), ...llm },
      'attributes.llm.output_messages': [{ 'message.role': 'assistant', 'message.content': 'I give up.' }],
    },
  ];
}
