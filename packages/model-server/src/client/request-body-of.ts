import type { Json } from 'loopfuse';
import type { Message, OfferedTool, Protocol } from '../turn.js';

export interface Conversation {
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly OfferedTool[];
  readonly model?: string;
  readonly stream?: boolean;
}

/** The body of the request by which a client of this protocol asks for the next turn. Reasoning is not sent back. */
export function requestBodyOf(protocol: Protocol, conversation: Conversation): Json {
  return writers[protocol](conversation);
}

type Fields = { readonly [key: string]: Json };

const writers: { readonly [Name in Protocol]: (conversation: Conversation) => Json } = {
  'openai-chat': ({ system, messages, tools = [], model = 'scripted-model', stream = false }) => ({
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...messages.flatMap(({ role, text, calls, results }): readonly Fields[] => {
        if (role === 'tool') return results.map(({ id, text }) => ({ role, tool_call_id: id, content: text }));
        if (calls.length === 0) return [{ role, content: text }];
        const tool_calls = calls.map(({ id, tool, input }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(input) },
        }));
        return [{ role, content: text === '' ? null : text, tool_calls }];
      }),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),

  'openai-responses': ({ system, messages, tools = [], model = 'scripted-model', stream = false }) => ({
    model,
    ...(system === undefined ? {} : { instructions: system }),
    input: messages.flatMap(({ role, text, calls, results }): readonly Fields[] => {
      if (role === 'tool')
        return results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }));
      const type = role === 'assistant' ? 'output_text' : 'input_text';
      return [
        ...(text === '' && calls.length > 0 ? [] : [{ type: 'message', role, content: [{ type, text }] }]),
        ...calls.map(({ id, tool, input }) => ({
          type: 'function_call',
          call_id: id,
          name: tool,
          arguments: JSON.stringify(input),
        })),
      ];
    }),
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    store: false,
    stream,
  }),

  anthropic: ({ system, messages, tools = [], model = 'scripted-model', stream = false }) => ({
    model,
    max_tokens: 4096,
    ...(system === undefined ? {} : { system }),
    messages: messages.map(({ role, text, calls, results }) => ({
      role: role === 'tool' ? 'user' : role,
      content: [
        ...results.map(({ id, text, failed = false }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
          is_error: failed,
        })),
        ...(text.trim() === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
      ],
    })),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
        }),
    stream,
  }),

  gemini: ({ system, messages, tools = [] }) => ({
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages.map(({ role, text, calls, results }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [
        ...results.map(({ tool, text, failed }) => ({
          functionResponse: { name: tool, response: failed ? { error: text } : { output: text } },
        })),
        ...(text === '' && calls.length + results.length > 0 ? [] : [{ text }]),
        ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
      ],
    })),
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
  }),
};
