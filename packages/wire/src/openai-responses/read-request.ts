import type { Place } from '../conversation.js';
import {
  apart,
  attachToLast,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type RequestView,
} from '../conversation.js';
import { fieldsOf, isObject, listOf, outcomeOf, requestIn, stringOf, textOf } from '../foreign.js';
import { callOf, isCallOutput, ranIn } from './call-of.js';
import { followedBy, itemsOf } from './items.js';

export function readRequest(body: unknown, place: Place = {}): RequestView {
  const { model, instructions, tools, tool_choice, text, stream } = fieldsOf(body);
  const { items } = itemsOf(body, place);
  const { type, schema } = fieldsOf(fieldsOf(text).format);
  const forced = fieldsOf(tool_choice).name;
  const follows = followedBy(body);
  return {
    model: stringOf(model),
    stream: stream === true,
    ...apart(readItems(items), stringOf(instructions)),
    tools: [...listOf(tools), ...items.flatMap((item) => listOf(fieldsOf(item).tools))].flatMap((tool) =>
      readTool(tool, undefined),
    ),
    ...(typeof forced === 'string' ? { forced } : {}),
    ...(follows === '' ? {} : { follows }),
    ...(type === 'json_schema' && isObject(schema) ? { schema: schema as JsonSchema } : {}),
  };
}

/** Several items of the model in a row become one message, as in the other protocols. */
function readItems(items: readonly unknown[]): readonly Message[] {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  const empty = { text: '', reasoning: '', calls: [], results: [] };
  const addToMessage = (more: Partial<Message>) => {
    const last = messages.at(-1);
    const before = last?.role === 'assistant' ? messages.pop()! : { ...empty, role: 'assistant' as const };
    messages.push({
      role: 'assistant',
      text: before.text + (more.text ?? ''),
      reasoning: before.reasoning + (more.reasoning ?? ''),
      calls: [...before.calls, ...(more.calls ?? [])],
      results: [...before.results, ...(more.results ?? [])],
    });
  };
  for (const item of items) {
    const { type, role, content, summary, call_id, output } = fieldsOf(item);
    const id = stringOf(call_id);
    const call = callOf(item);
    const ran = ranIn(item);
    if (ran !== undefined) addToMessage({ calls: [ran.call], results: [ran.result] });
    else if (call !== undefined) {
      names.set(call.id, call.tool);
      addToMessage({ calls: [call] });
    } else if (isCallOutput(type)) {
      const text = outcomeOf(output);
      messages.push({ ...empty, role: 'tool', results: [{ id, tool: names.get(id) ?? '', text }] });
    } else if (type === 'reasoning') addToMessage({ reasoning: textOf(summary) + textOf(content) });
    else if (role === 'assistant') addToMessage({ text: textOf(content) });
    else if (typeof role === 'string') {
      attachToLast(messages, listOf(content));
      messages.push(
        role === 'user'
          ? { ...empty, role, ...requestIn(content) }
          : { ...empty, role: 'system', text: textOf(content) },
      );
    }
  }
  return messages;
}

function readTool(tool: unknown, namespace: string | undefined): readonly OfferedTool[] {
  const { type, name, description, parameters, tools } = fieldsOf(tool);
  if (type === 'namespace') return listOf(tools).flatMap((inner) => readTool(inner, stringOf(name)));
  if ((type !== 'function' && type !== 'custom') || typeof name !== 'string') return [];
  return [
    {
      name,
      description: stringOf(description),
      takes: type === 'custom' ? 'text' : 'object',
      parameters: fieldsOf(parameters) as JsonSchema,
      ...(namespace === undefined ? {} : { namespace }),
    },
  ];
}
