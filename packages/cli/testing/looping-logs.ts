/**
 * One session, written as ten agents write it and as three products export it: a request, then `rounds` equal calls that fail alike, a minute apart, each
 * an answer of its own that takes 100 tokens in and 10 out; then the model gives up.
 */
export interface LoopingLog {
  readonly format: string;
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
}

export const input = 100;
export const output = 10;
export const model = 'gpt-4.1';
const began = Date.parse('2026-03-01T10:00:00Z');
const request = 'Mend the build.';
const said = 'I try again.';
const failure = 'Error: there is no rule to make target all';
const command = { command: 'make all' };

export function loopingLogs(rounds: number): LoopingLog[] {
  const each = Array.from({ length: rounds }, (_, k) => k);
  const at = (k: number) => new Date(began + k * 60_000).toISOString();
  const millis = (k: number) => began + k * 60_000;
  const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const uuid = (kind: string, k: number) => `${kind}-${k}`;

  const trace = [
    { loopfuse: 1, session: 'in-trace', agent: 'toy', model },
    { type: 'prompt', text: request, at: millis(0) },
    ...each.flatMap((k) => [
      { type: 'text', text: said, at: millis(k) },
      { type: 'tool-call', id: `c${k}`, tool: 'bash', input: command, at: millis(k) },
      { type: 'tool-result', id: `c${k}`, output: failure, failed: true, at: millis(k) },
      { type: 'usage', inputTokens: input, outputTokens: output, at: millis(k) },
    ]),
    { type: 'text', text: 'I give up.', at: millis(rounds) },
  ];

  const claude = (() => {
    const line = (kind: string, k: number) => ({
      uuid: uuid(kind, k),
      sessionId: 'in-claude',
      timestamp: at(k),
      cwd: '/w',
    });
    const usage = { input_tokens: input, output_tokens: output };
    return [
      { ...line('p', 0), type: 'user', message: { role: 'user', content: request } },
      ...each.flatMap((k) => [
        {
          ...line('a', k),
          type: 'assistant',
          message: {
            ...{ id: `m${k}`, role: 'assistant', model, usage },
            content: [
              { type: 'text', text: said },
              { type: 'tool_use', id: `c${k}`, name: 'Bash', input: command },
            ],
          },
        },
        {
          ...line('r', k),
          type: 'user',
          message: {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: `c${k}`, content: failure, is_error: true }],
          },
        },
      ]),
      {
        ...line('e', rounds),
        type: 'assistant',
        message: { id: 'end', role: 'assistant', model, content: [{ type: 'text', text: 'I give up.' }] },
      },
    ];
  })();

  const codex = (() => {
    let ordinal = 0;
    const line = (k: number, type: string, payload: object) => ({
      timestamp: at(k),
      ordinal: ordinal++,
      type,
      payload,
    });
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: 'output_text', text }],
    });
    return [
      line(0, 'session_meta', { id: 'in-codex', cwd: '/w', cli_version: '0.166.0' }),
      line(0, 'turn_context', { model, cwd: '/w' }),
      line(0, 'response_item', message('user', request)),
      ...each.flatMap((k) => [
        line(k, 'response_item', message('assistant', said)),
        line(k, 'response_item', {
          ...{ type: 'function_call', name: 'exec_command', call_id: `c${k}` },
          arguments: JSON.stringify(command),
        }),
        line(k, 'response_item', { type: 'function_call_output', call_id: `c${k}`, output: failure }),
        line(k, 'event_msg', {
          type: 'token_count',
          info: {
            total_token_usage: { total_tokens: (k + 1) * (input + output) },
            last_token_usage: { input_tokens: input, output_tokens: output, cached_input_tokens: 0 },
          },
        }),
      ]),
      line(rounds, 'response_item', message('assistant', 'I give up.')),
    ];
  })();

  const gemini = [
    { sessionId: 'in-gemini', projectHash: 'h', startTime: at(0), kind: 'main' },
    { id: 'p', timestamp: at(0), type: 'user', content: [{ text: request }] },
    ...each.map((k) => ({
      ...{ id: `m${k}`, timestamp: at(k), type: 'gemini', content: said, model },
      tokens: { input, output, cached: 0, thoughts: 0, tool: 0, total: input + output },
      toolCalls: [
        {
          ...{ id: `c${k}`, name: 'run_shell_command', args: command, status: 'error', timestamp: at(k) },
          result: [{ functionResponse: { id: `c${k}`, name: 'run_shell_command', response: { error: failure } } }],
        },
      ],
    })),
    { id: 'end', timestamp: at(rounds), type: 'gemini', content: 'I give up.', model },
  ];

  const qwen = (() => {
    const line = (kind: string, k: number) => ({
      uuid: uuid(kind, k),
      sessionId: 'in-qwen',
      timestamp: at(k),
      cwd: '/w',
    });
    return [
      { ...line('p', 0), type: 'user', message: { role: 'user', parts: [{ text: request }] } },
      ...each.flatMap((k) => [
        {
          ...line('a', k),
          ...{ type: 'assistant', model },
          usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
          message: {
            role: 'model',
            parts: [{ text: said }, { functionCall: { id: `c${k}`, name: 'run_shell_command', args: command } }],
          },
        },
        {
          ...line('r', k),
          type: 'tool_result',
          message: {
            role: 'user',
            parts: [{ functionResponse: { id: `c${k}`, name: 'run_shell_command', response: { error: failure } } }],
          },
          toolCallResult: { callId: `c${k}`, status: 'error' },
        },
      ]),
      {
        ...line('e', rounds),
        ...{ type: 'assistant', model },
        message: { role: 'model', parts: [{ text: 'I give up.' }] },
      },
    ];
  })();

  const opencode = (() => {
    const info = (id: string, role: string, k: number, more: object = {}) => ({
      ...{ id, role, sessionID: 'in-opencode', time: { created: millis(k) } },
      ...more,
    });
    const tokens = { input, output, reasoning: 0, cache: { read: 0, write: 0 } };
    return {
      info: { id: 'in-opencode', directory: '/w', title: request, version: '1.18.33', time: { created: millis(0) } },
      messages: [
        { info: info('p', 'user', 0), parts: [{ type: 'text', text: request }] },
        ...each.map((k) => ({
          info: info(`m${k}`, 'assistant', k, { modelID: model, providerID: 'openai', tokens }),
          parts: [
            { type: 'step-start' },
            { type: 'text', text: said },
            {
              ...{ type: 'tool', tool: 'bash', callID: `c${k}` },
              state: { status: 'error', input: command, error: failure, time: { start: millis(k), end: millis(k) } },
            },
            { type: 'step-finish', reason: 'tool-calls', tokens },
          ],
        })),
        {
          info: info('end', 'assistant', rounds, { modelID: model, providerID: 'openai' }),
          parts: [{ type: 'text', text: 'I give up.' }],
        },
      ],
    };
  })();

  const copilot = (() => {
    let id = 0;
    const line = (k: number, type: string, data: object) => ({ type, data, id: `e${id++}`, timestamp: at(k) });
    return [
      line(0, 'session.start', { sessionId: 'in-copilot', version: 1, copilotVersion: '1.0.102', startTime: at(0) }),
      line(0, 'user.message', { content: request }),
      ...each.flatMap((k) => [
        line(k, 'assistant.turn_start', { turnId: String(k) }),
        line(k, 'session.usage_record', { usage: { model, inputTokens: input, outputTokens: output } }),
        line(k, 'assistant.message', {
          ...{ messageId: `m${k}`, model, content: said },
          toolRequests: [{ toolCallId: `c${k}`, name: 'bash', arguments: command }],
        }),
        line(k, 'tool.execution_start', { toolCallId: `c${k}`, toolName: 'bash', arguments: command }),
        line(k, 'tool.execution_complete', { toolCallId: `c${k}`, success: false, error: { message: failure } }),
        line(k, 'assistant.turn_end', { turnId: String(k) }),
      ]),
      line(rounds, 'assistant.turn_start', { turnId: 'end' }),
      line(rounds, 'assistant.message', { messageId: 'end', model, content: 'I give up.' }),
    ];
  })();

  const pi = (() => {
    const line = (id: string, k: number, message: object) => ({ type: 'message', id, timestamp: at(k), message });
    return [
      { type: 'session', version: 3, id: 'in-pi', timestamp: at(0), cwd: '/w' },
      { type: 'model_change', id: 'm', timestamp: at(0), provider: 'openai', modelId: model },
      line('p', 0, { role: 'user', content: [{ type: 'text', text: request }] }),
      ...each.flatMap((k) => [
        line(`a${k}`, k, {
          ...{ role: 'assistant', model, stopReason: 'toolUse' },
          usage: { input, output, cacheRead: 0, cacheWrite: 0 },
          content: [
            { type: 'text', text: said },
            { type: 'toolCall', id: `c${k}`, name: 'bash', arguments: command },
          ],
        }),
        line(`r${k}`, k, {
          ...{ role: 'toolResult', toolCallId: `c${k}`, toolName: 'bash', isError: true },
          content: [{ type: 'text', text: failure }],
        }),
      ]),
      line('end', rounds, { role: 'assistant', model, content: [{ type: 'text', text: 'I give up.' }] }),
    ];
  })();

  const messages = {
    id: 'in-messages',
    model,
    messages: [
      { role: 'user', content: request, timestamp: at(0) },
      ...each.flatMap((k) => [
        {
          ...{ role: 'assistant', content: said, timestamp: at(k) },
          tool_calls: [
            { id: `c${k}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify(command) } },
          ],
          usage: { prompt_tokens: input, completion_tokens: output },
        },
        { role: 'tool', tool_call_id: `c${k}`, content: failure, timestamp: at(k) },
      ]),
      { role: 'assistant', content: 'I give up.', timestamp: at(rounds) },
    ],
  };

  const otel = (() => {
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
  })();

  const callOf = (k: number) => ({
    id: `c${k}`,
    type: 'function',
    function: { name: 'bash', arguments: '{"command":"make all"}' },
  });
  const asked = [{ role: 'user', content: request }];
  const answerOf = (k: number) => ({ role: 'assistant', content: said, tool_calls: [callOf(k)] });
  const end = { role: 'assistant', content: 'I give up.' };

  const langfuse = (() => {
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
  })();

  const langsmith = (() => {
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
  })();

  const phoenix = (() => {
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
  })();

  return [
    { format: 'trace', name: 'trace.jsonl', text: lines(trace) },
    { format: 'claude-code', name: 'claude.jsonl', text: lines(claude) },
    { format: 'codex', name: 'codex.jsonl', text: lines(codex) },
    { format: 'gemini-cli', name: 'gemini.jsonl', text: lines(gemini) },
    { format: 'qwen-code', name: 'qwen.jsonl', text: lines(qwen) },
    { format: 'opencode', name: 'opencode.json', text: JSON.stringify(opencode) },
    { format: 'copilot-cli', name: 'copilot.jsonl', text: lines(copilot) },
    { format: 'pi', name: 'pi.jsonl', text: lines(pi) },
    { format: 'messages', name: 'chat-of-openai.json', text: JSON.stringify(messages) },
    { format: 'otel', name: 'otel.json', text: JSON.stringify(otel) },
    { format: 'langfuse', name: 'langfuse.json', text: JSON.stringify(langfuse) },
    { format: 'langsmith', name: 'langsmith.jsonl', text: lines(langsmith) },
    { format: 'phoenix', name: 'phoenix.jsonl', text: lines(phoenix) },
  ];
}
