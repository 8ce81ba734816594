import { command, failure, input, type LoopingSession, model, output, request, said } from './session.js';

// The session as agents write it.

export function trace({ each, millis, rounds }: LoopingSession): object[] {
  return [
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
}

export function claude({ each, at, rounds }: LoopingSession): object[] {
  const line = (kind: string, k: number) => ({
    uuid: `${kind}-${k}`,
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
}

export function codex({ each, at, rounds }: LoopingSession): object[] {
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
}

export function gemini({ each, at, rounds }: LoopingSession): object[] {
  return [
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
}

export function qwen({ each, at, rounds }: LoopingSession): object[] {
  const line = (kind: string, k: number) => ({
    uuid: `${kind}-${k}`,
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
}

export function opencode({ each, millis, rounds }: LoopingSession): object {
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
}

export function copilot({ each, at, rounds }: LoopingSession): object[] {
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
}

export function pi({ each, at, rounds }: LoopingSession): object[] {
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
}

export function messages({ each, at, rounds }: LoopingSession): object {
  return {
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
}
