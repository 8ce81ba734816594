import type { Json } from 'loopfuse';
import { isObject, list, num, type Obj, obj, parsed, str } from '../translating/json.js';

/**
 * The attributes of a span under the names of the `gen_ai` conventions, from any dialect: OpenInference (Phoenix,
 * Arize), Langfuse, LangSmith, OpenLLMetry (Traceloop). Attributes that have these names already stay unchanged.
 */
export function inConventions(attributes: Obj): Obj {
  if (str(attributes['openinference.span.kind']) !== undefined) return { ...openInference(attributes), ...attributes };
  if (str(attributes['langfuse.observation.type']) !== undefined) return { ...langfuse(attributes), ...attributes };
  if (str(attributes['langsmith.span.kind']) !== undefined) return { ...langSmith(attributes), ...attributes };
  if (isOpenLlmetry(attributes)) return { ...openLlmetry(attributes), ...attributes };
  return attributes;
}

const operations: { readonly [kind: string]: string } = {
  llm: 'chat',
  generation: 'chat',
  chat_model: 'chat',
  tool: 'execute_tool',
  agent: 'invoke_agent',
};

function openInference(attributes: Obj): Obj {
  return known({
    'gen_ai.operation.name': operations[String(attributes['openinference.span.kind']).toLowerCase()],
    'gen_ai.request.model': attributes['llm.model_name'],
    'gen_ai.input.messages': numbered(attributes, 'llm.input_messages.'),
    'gen_ai.output.messages': numbered(attributes, 'llm.output_messages.'),
    'gen_ai.usage.input_tokens': attributes['llm.token_count.prompt'],
    'gen_ai.usage.output_tokens': attributes['llm.token_count.completion'],
    'gen_ai.usage.cache_read.input_tokens': attributes['llm.token_count.prompt_details.cache_read'],
    'gen_ai.usage.cost': attributes['llm.cost.total'],
    'gen_ai.tool.name': attributes['tool.name'],
    'gen_ai.tool.call.id': attributes['tool_call.id'] ?? attributes['tool.id'],
    // `tool.parameters` is mostly the schema of the tool, not the arguments of the call.
    'gen_ai.tool.call.arguments': attributes['input.value'] ?? attributes['tool.parameters'],
    'gen_ai.tool.call.result': attributes['output.value'],
    'gen_ai.agent.name': attributes['agent.name'],
  });
}

function langfuse(attributes: Obj): Obj {
  const usage = obj(parsed(attributes['langfuse.observation.usage_details']));
  const input = attributes['langfuse.observation.input'];
  const output = attributes['langfuse.observation.output'];
  return known({
    'gen_ai.operation.name': operations[String(attributes['langfuse.observation.type']).toLowerCase()],
    'gen_ai.conversation.id': attributes['langfuse.session.id'],
    'gen_ai.request.model': attributes['langfuse.observation.model.name'],
    'gen_ai.input.messages': messagesIn(input),
    'gen_ai.output.messages': messagesIn(output),
    'gen_ai.usage.input_tokens': num(usage.prompt_tokens) ?? usedFor(usage, 'input'),
    'gen_ai.usage.output_tokens': num(usage.completion_tokens) ?? usedFor(usage, 'output'),
    'gen_ai.usage.cache_read.input_tokens': usedFor(usage, 'cache', 'creation'),
    'gen_ai.tool.call.arguments': input,
    'gen_ai.tool.call.result': output,
  });
}

/** Langfuse counts kinds of tokens separately: `input`, `input_cached_tokens`, … */
function usedFor(usage: Obj, word: string, except = 'total'): number | undefined {
  let sum: number | undefined;
  for (const key in usage) {
    const count = num(usage[key]);
    if (count !== undefined && key.includes(word) && !key.includes(except)) sum = (sum ?? 0) + count;
  }
  return sum;
}

function langSmith(attributes: Obj): Obj {
  return known({
    'gen_ai.operation.name': operations[String(attributes['langsmith.span.kind']).toLowerCase()],
    'gen_ai.conversation.id': attributes['langsmith.trace.session_id'] ?? attributes['langsmith.metadata.session_id'],
    'gen_ai.input.messages': messagesIn(attributes['gen_ai.prompt']),
    'gen_ai.output.messages': messagesIn(attributes['gen_ai.completion']),
    'gen_ai.tool.call.arguments': attributes['gen_ai.prompt'],
    'gen_ai.tool.call.result': attributes['gen_ai.completion'],
  });
}

function isOpenLlmetry(attributes: Obj): boolean {
  return (
    str(attributes['traceloop.span.kind']) !== undefined ||
    str(attributes['llm.request.type']) !== undefined ||
    attributes['gen_ai.prompt.0.role'] !== undefined ||
    attributes['gen_ai.completion.0.role'] !== undefined
  );
}

function openLlmetry(attributes: Obj): Obj {
  const kind = str(attributes['traceloop.span.kind']);
  const answers = kind === undefined || numbered(attributes, 'gen_ai.completion.') !== undefined;
  const properties = 'traceloop.association.properties.';
  const reason = str(attributes['gen_ai.completion.0.finish_reason']);
  return known({
    'gen_ai.operation.name': answers ? 'chat' : operations[kind],
    'gen_ai.conversation.id':
      attributes[`${properties}session_id`] ??
      attributes[`${properties}thread_id`] ??
      attributes['traceloop.correlation.id'],
    'gen_ai.input.messages': numbered(attributes, 'gen_ai.prompt.'),
    'gen_ai.output.messages': numbered(attributes, 'gen_ai.completion.'),
    'gen_ai.usage.cache_read.input_tokens': attributes['gen_ai.usage.cache_read_input_tokens'],
    'gen_ai.response.finish_reasons': reason === undefined ? undefined : [reason],
    'gen_ai.tool.name': kind === 'tool' ? attributes['traceloop.entity.name'] : undefined,
    'gen_ai.tool.call.arguments': argumentsIn(attributes['traceloop.entity.input']),
    'gen_ai.tool.call.result': outputIn(attributes['traceloop.entity.output']),
    'gen_ai.agent.name': kind === 'agent' ? attributes['traceloop.entity.name'] : undefined,
  });
}

/** The arguments of a function, by position and by name, or of a LangChain tool. */
function argumentsIn(value: Json | undefined): Json | undefined {
  const given = obj(parsed(value));
  if (isObject(given.inputs)) return given.inputs;
  if (given.input_str !== undefined) return parsed(given.input_str);
  return isObject(given.kwargs) && list(given.args).length === 0 ? given.kwargs : value;
}

function outputIn(value: Json | undefined): Json | undefined {
  const read = parsed(value);
  return obj(read).output ?? (typeof read === 'string' ? read : value);
}

function known(values: { readonly [key: string]: Json | undefined }): Obj {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The messages in a list, one message, or an object with either; undefined if it is none of them. */
function messagesIn(value: Json | undefined, depth = 0): Json | undefined {
  const read = parsed(value);
  if (Array.isArray(read)) return read.map(plainMessage);
  const { messages, choices, generations, output, role, content, kwargs } = obj(read);
  // LangChain may answer several prompts at once, each several times; agents ask for one answer to one prompt.
  if (Array.isArray(messages)) return list(Array.isArray(messages[0]) ? messages[0] : messages).map(plainMessage);
  if (Array.isArray(generations))
    return list(Array.isArray(generations[0]) ? generations[0] : generations)
      .slice(0, 1)
      .map((each) => plainMessage(obj(each).message ?? { content: obj(each).text ?? '' }));
  if (Array.isArray(choices)) return choices.map((choice: Json) => plainMessage(obj(choice).message ?? choice));
  if (role !== undefined || content !== undefined || isObject(kwargs)) return [plainMessage(read)];
  if (output !== undefined && depth < 4) return messagesIn(output, depth + 1);
  return typeof read === 'string' && read !== '' ? [{ role: 'assistant', content: read }] : undefined;
}

const roles: { readonly [type: string]: string } = { human: 'user', ai: 'assistant', AIMessageChunk: 'assistant' };

/**
 * A message with a role, from any form: as model interfaces exchange it, as LangChain's object (`{ type: 'ai', … }`),
 * inside `data`, or as LangChain's constructor call (`{ lc: 1, id, kwargs }`).
 */
export function plainMessage(value: Json): Json {
  const message = obj(value);
  const inner = isObject(message.kwargs) ? message.kwargs : isObject(message.data) ? message.data : message;
  const named = str(list(message.id).at(-1))
    ?.replace(/Message(Chunk)?$/, '')
    .toLowerCase();
  const type = str(inner.type) ?? named ?? str(message.type);
  const role = str(inner.role) ?? (type === undefined ? 'assistant' : (roles[type] ?? type));
  const extra = obj(inner.additional_kwargs);
  return {
    ...inner,
    role,
    ...(list(inner.tool_calls).length === 0 && Array.isArray(extra.tool_calls) ? { tool_calls: extra.tool_calls } : {}),
  } as Json;
}

const mostMessages = 10_000;

interface Numbered {
  role?: Json;
  content?: Json;
  tool_call_id?: Json;
  readonly calls: Map<number, { [key: string]: Json }>;
}

/** Words in such keys without information. */
const fillers: ReadonlySet<string> = new Set(['message', 'message_content', 'tool_call', 'function']);

/**
 * OpenInference writes lists as keys with numbers: `llm.output_messages.0.message.tool_calls.1.tool_call.function.name`;
 * OpenLLMetry in fewer words: `gen_ai.completion.0.tool_calls.1.name`.
 */
function numbered(attributes: Obj, prefix: string): Json | undefined {
  const found = new Map<number, Numbered>();
  for (const key in attributes) {
    if (!key.startsWith(prefix)) continue;
    const [place = '', member, call, ...rest] = key
      .slice(prefix.length)
      .split('.')
      .filter((word) => !fillers.has(word));
    const index = Number(place);
    if (!Number.isInteger(index) || index < 0 || index > mostMessages) continue;
    const message: Numbered = found.get(index) ?? { calls: new Map() };
    found.set(index, message);
    if (member === 'tool_calls') {
      const last = rest.at(-1);
      if (call === undefined || last === undefined) continue;
      const one = message.calls.get(Number(call)) ?? {};
      message.calls.set(Number(call), { ...one, [last]: attributes[key]! });
    } else if (member === 'contents' && rest[0] === 'text')
      message.content = `${message.content === undefined ? '' : `${String(message.content)}\n`}${String(attributes[key])}`;
    else if (member === 'content') message.content = blocksIn(attributes[key]!);
    else if (member === 'role' || member === 'tool_call_id') message[member] = attributes[key]!;
  }
  if (found.size === 0) return undefined;
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([, { calls, ...message }]) => ({
      ...message,
      tool_calls: [...calls.values()].map(({ id, name, arguments: input }) => ({
        ...(id === undefined ? {} : { id }),
        function: { name: name ?? 'unknown', arguments: input ?? '{}' },
      })),
    })) as Json;
}

/** Content of several blocks may be written as one JSON text. */
function blocksIn(content: Json): Json {
  const blocks = parsed(content);
  return Array.isArray(blocks) && blocks.every((block: Json) => str(obj(block).type) !== undefined) ? blocks : content;
}
