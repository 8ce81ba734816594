import {
  apart,
  attachToLast,
  type Call,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type RequestView,
} from '../conversation.js';
import { argumentsOf, asText, fieldsOf, isObject, listOf, outcomeOf, requestIn, stringOf, textOf } from '../foreign.js';

export function readRequest(body: unknown): RequestView {
  const { model, messages, tools, functions, tool_choice, function_call, response_format, stream } = fieldsOf(body);
  const forced = fieldsOf(fieldsOf(tool_choice).function ?? function_call).name;
  const schema = fieldsOf(fieldsOf(response_format).json_schema).schema;
  return {
    model: stringOf(model),
    stream: stream === true,
    ...apart(readMessages(listOf(messages))),
    tools: [...listOf(tools), ...listOf(functions).map((offered) => ({ function: offered }))].flatMap(readTool),
    ...(typeof forced === 'string' ? { forced } : {}),
    ...(isObject(schema) ? { schema: schema as JsonSchema } : {}),
  };
}

/** A legacy `function_call` has no id and is identified by its place. */
function readMessages(messages: readonly unknown[]): readonly Message[] {
  const names = new Map<string, string>();
  let unnamed = 0;
  const read: Message[] = [];
  for (const message of messages) {
    const { role, content, reasoning_content, reasoning, tool_calls, tool_call_id, function_call, name } =
      fieldsOf(message);
    const listed = listOf(tool_calls);
    const isLegacy = listed.length === 0 && isObject(function_call);
    const calls = (isLegacy ? [{ id: `place-${unnamed++}`, function: function_call }] : listed).map(readCall);
    for (const { id, tool } of calls) names.set(id, tool);
    const empty = { text: '', reasoning: '', calls: [], results: [] };
    const text = textOf(content);
    if (role === 'tool' || role === 'function') {
      const id = role === 'tool' ? stringOf(tool_call_id) : `place-${unnamed - 1}`;
      const tool = names.get(id) ?? stringOf(name);
      read.push({ ...empty, role: 'tool', results: [{ id, tool, text: outcomeOf(content) }] });
    } else if (role === 'assistant')
      read.push({ ...empty, role, text, reasoning: stringOf(reasoning_content) || stringOf(reasoning), calls });
    else if (role === 'system' || role === 'developer') read.push({ ...empty, role: 'system', text });
    else {
      attachToLast(read, listOf(content));
      read.push({ ...empty, role: 'user', ...requestIn(content) });
    }
  }
  return read;
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
