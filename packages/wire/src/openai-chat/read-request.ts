import {
  apart,
  type Call,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type RequestView,
} from '../conversation.js';
import { argumentsOf, asText, fieldsOf, isObject, listOf, stringOf, textOf } from '../foreign.js';

export function readRequest(body: unknown): RequestView {
  const { model, messages, tools, tool_choice, response_format, stream } = fieldsOf(body);
  const forced = fieldsOf(fieldsOf(tool_choice).function).name;
  const schema = fieldsOf(fieldsOf(response_format).json_schema).schema;
  return {
    model: stringOf(model),
    stream: stream === true,
    ...apart(readMessages(listOf(messages))),
    tools: listOf(tools).flatMap(readTool),
    ...(typeof forced === 'string' ? { forced } : {}),
    ...(isObject(schema) ? { schema: schema as JsonSchema } : {}),
  };
}

function readMessages(messages: readonly unknown[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.map((message): Message => {
    const { role, content, reasoning_content, reasoning, tool_calls, tool_call_id } = fieldsOf(message);
    const calls = listOf(tool_calls).map(readCall);
    for (const { id, tool } of calls) names.set(id, tool);
    const empty = { text: '', reasoning: '', calls: [], results: [] };
    if (role === 'tool') {
      const id = stringOf(tool_call_id);
      return { ...empty, role: 'tool', results: [{ id, tool: names.get(id) ?? '', text: textOf(content) }] };
    }
    if (role !== 'assistant')
      return { ...empty, role: role === 'system' || role === 'developer' ? 'system' : 'user', text: textOf(content) };
    return {
      ...empty,
      role,
      text: textOf(content),
      reasoning: stringOf(reasoning_content) || stringOf(reasoning),
      calls,
    };
  });
}

function readCall(call: unknown): Call {
  const { id, function: called, custom } = fieldsOf(call);
  const { name, arguments: input, input: text } = fieldsOf(called ?? custom);
  return {
    id: stringOf(id),
    tool: stringOf(name),
    input: text === undefined ? argumentsOf(asText(input)) : asText(text),
  };
}

function readTool(tool: unknown): readonly OfferedTool[] {
  const { function: offered, custom } = fieldsOf(tool);
  const { name, description, parameters } = fieldsOf(offered ?? custom);
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      description: stringOf(description),
      takes: custom === undefined ? 'object' : 'text',
      parameters: fieldsOf(parameters) as JsonSchema,
    },
  ];
}
