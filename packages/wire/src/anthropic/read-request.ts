import type { Json } from 'loopfuse';
import {
  apart,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type Place,
  type RequestView,
  type ToolResult,
  withAttached,
} from '../conversation.js';
import { fieldsOf, isObject, listOf, outcomeOf, stringOf, textOf } from '../foreign.js';

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
    const calls = of('tool_use').map(({ id, name, input }) => {
      names.set(stringOf(id), stringOf(name));
      return { id: stringOf(id), tool: stringOf(name), input: (input ?? {}) as Json };
    });
    const text = textOf(of('text'));
    const empty = { text: '', reasoning: '', calls: [], results: [] };
    if (role === 'assistant') {
      const reasoning = of('thinking').map(({ thinking }) => stringOf(thinking));
      return [{ ...empty, role, text, reasoning: reasoning.join(''), calls }];
    }
    if (role === 'system') return [{ ...empty, role, text }];
    const results = withAttached(
      of('tool_result').map((block) => readResult(block, names)),
      blocks.filter(({ type }) => type === 'image' || type === 'document'),
    );
    const answered: Message[] = results.length > 0 ? [{ ...empty, role: 'tool', results }] : [];
    return text === '' && answered.length > 0 ? answered : [...answered, { ...empty, role: 'user', text }];
  });
}

function readResult(
  { tool_use_id, content, is_error }: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): ToolResult {
  const id = stringOf(tool_use_id);
  return { id, tool: names.get(id) ?? '', text: outcomeOf(content), failed: is_error === true };
}

/** Tools that the provider runs itself have no schema, and no script can call them. */
function readTool(tool: unknown): readonly OfferedTool[] {
  const { name, description, input_schema } = fieldsOf(tool);
  if (typeof name !== 'string' || !isObject(input_schema)) return [];
  return [{ name, description: stringOf(description), takes: 'object', parameters: input_schema as JsonSchema }];
}
