import {
  apart,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type Place,
  type RequestView,
  withAttached,
} from '../conversation.js';
import { fieldsOf, isObject, listOf, requestIn, stringOf, textOf } from '../foreign.js';
import { callIn, isProviderCall, isProviderResult, resultIn } from './provider-tools.js';

export function readRequest(body: unknown, place: Place = {}): RequestView {
  const { model, system, messages, tools, tool_choice, stream, output_config, output_format } = fieldsOf(body);
  const { schema } = fieldsOf(fieldsOf(output_config).format ?? output_format);
  const forced = fieldsOf(tool_choice).name;
  return {
    model: stringOf(model) || (place.model ?? ''),
    stream: stream === true,
    ...apart(readMessages(listOf(messages)), textOf(system)),
    tools: listOf(tools).flatMap(readTool),
    ...(typeof forced === 'string' ? { forced } : {}),
    ...(isObject(schema) ? { schema: schema as JsonSchema } : {}),
  };
}

function readMessages(messages: readonly unknown[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.flatMap((message): readonly Message[] => {
    const { role, content } = fieldsOf(message);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(fieldsOf);
    const of = (type: string) => blocks.filter((block) => block.type === type) as Record<string, unknown>[];
    const calls = blocks.filter((block) => block.type === 'tool_use' || isProviderCall(block)).map(callIn);
    for (const { id, tool } of calls) names.set(id, tool);
    const resultOf = (block: Readonly<Record<string, unknown>>) =>
      resultIn(block, names.get(stringOf(block.tool_use_id)) ?? '');
    const text = textOf(of('text'));
    const empty = { text: '', reasoning: '', calls: [], results: [] };
    if (role === 'assistant') {
      const reasoning = of('thinking').map(({ thinking }) => stringOf(thinking));
      const results = blocks.filter(isProviderResult).map(resultOf);
      return [{ ...empty, role, text, reasoning: reasoning.join(''), calls, results }];
    }
    if (role === 'system') return [{ ...empty, role, text }];
    const results = withAttached(
      of('tool_result').map(resultOf),
      blocks.filter(({ type }) => type === 'image' || type === 'document'),
    );
    const answered: Message[] = results.length > 0 ? [{ ...empty, role: 'tool', results }] : [];
    return text === '' && answered.length > 0
      ? answered
      : [...answered, { ...empty, role: 'user', ...requestIn(blocks) }];
  });
}

/** Tools that the provider runs itself have no schema, and are left out: no script can call them. */
function readTool(tool: unknown): readonly OfferedTool[] {
  const { name, description, input_schema } = fieldsOf(tool);
  if (typeof name !== 'string' || !isObject(input_schema)) return [];
  return [{ name, description: stringOf(description), takes: 'object', parameters: input_schema as JsonSchema }];
}
