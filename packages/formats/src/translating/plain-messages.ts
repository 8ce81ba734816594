import type { Json } from 'loopfuse';
import { isObject, list, type Obj, obj, parsed, str } from './json.js';

/**
 * The messages in a value, in the forms that `createChat` reads; none if the value is not a message. Frameworks have
 * their own forms: LangChain (plain, inside `data`, as the call of a constructor), ShareGPT, Pydantic AI, AutoGen; and
 * logs put a message into a record.
 */
export function plainMessages(value: Json, depth = 0): readonly Obj[] {
  const message = obj(value);
  if (isPlain(message)) return [message];
  const { type, from, kind, parts, kwargs, data, content } = message;
  if (message.lc !== undefined && isObject(kwargs)) return langChain(className(message.id), kwargs);
  if (typeof type === 'string' && langChainRoles.has(type)) {
    if (isObject(data) && data.content !== undefined) return langChain(type, data);
    if (content !== undefined) return langChain(type, message);
  }
  if (typeof from === 'string' && typeof message.value === 'string') return shareGpt(from, message.value);
  if ((kind === 'request' || kind === 'response') && Array.isArray(parts)) return pydantic(message, list(parts));
  if (typeof message.source === 'string' && typeof type === 'string') return autoGen(message, type);
  return depth < deepestWrapping ? unwrapped(message, depth) : [];
}

const deepestWrapping = 2;

/** Whether it needs no translation: a message with a role, or an item of OpenAI's responses. */
function isPlain({ role, content, parts, tool_calls: calls, type, call_id: call, callId, summary }: Obj): boolean {
  if (typeof role === 'string') return content !== undefined || Array.isArray(parts) || Array.isArray(calls);
  // In Gemini's contents, messages of the user need no role.
  if (typeof type !== 'string')
    return role === undefined && list(parts).some((part) => str(obj(part).text) !== undefined);
  if (type === 'reasoning') return Array.isArray(summary);
  if (type === 'mcp_call' || type === 'web_search_call') return true;
  return /_call(_output|_result)?$/.test(type) && str(call ?? callId) !== undefined;
}

const langChainRoles: ReadonlyMap<string, string> = new Map([
  ...['human', 'HumanMessage', 'HumanMessageChunk'].map((type) => [type, 'user'] as const),
  ...['ai', 'AIMessage', 'AIMessageChunk'].map((type) => [type, 'assistant'] as const),
  ...['tool', 'ToolMessage', 'ToolMessageChunk'].map((type) => [type, 'tool'] as const),
  ...['function', 'FunctionMessage'].map((type) => [type, 'function'] as const),
  ...['system', 'SystemMessage', 'remove'].map((type) => [type, 'system'] as const),
]);

/** The last word of LangChain's `id`, which is the path of a class. */
function className(id: Json | undefined): string {
  return str(list(id).at(-1)) ?? '';
}

function langChain(type: string, message: Obj): readonly Obj[] {
  const role = langChainRoles.get(type);
  if (role === undefined) return [];
  const extra = obj(message.additional_kwargs);
  const answer = obj(message.response_metadata);
  const usage = message.usage_metadata ?? answer.token_usage ?? answer.tokenUsage ?? answer.usage;
  return [
    {
      ...message,
      role,
      model: message.model ?? answer.model_name ?? answer.model,
      tool_calls: some(message.tool_calls) ?? some(extra.tool_calls),
      function_call: message.function_call ?? extra.function_call,
      reasoning_content: message.reasoning_content ?? extra.reasoning_content,
      ...(isObject(usage) ? { usage } : {}),
    },
  ];
}

function some(value: Json | undefined): Json | undefined {
  return list(value).length > 0 ? value : undefined;
}

function shareGpt(from: string, value: string): readonly Obj[] {
  switch (from) {
    case 'human':
    case 'user':
      return [{ role: 'user', content: value }];
    case 'gpt':
    case 'assistant':
    case 'model':
    case 'chatgpt':
      return [{ role: 'assistant', content: value }];
    case 'function_call': {
      const call = parsed(value.trim());
      return [{ role: 'assistant', tool_calls: Array.isArray(call) ? call : [isObject(call) ? call : { args: call }] }];
    }
    case 'observation':
    case 'tool':
    case 'function_response':
      return [{ role: 'tool', content: value }];
    case 'system':
      return [{ role: 'system', content: value }];
    default:
      return [];
  }
}

function pydantic(message: Obj, parts: readonly Json[]): readonly Obj[] {
  const found: Obj[] = [];
  const said: Json[] = [];
  for (const each of parts) {
    const part = obj(each);
    const { content, tool_call_id: id, tool_name: tool, args, timestamp } = part;
    const at = timestamp ?? message.timestamp;
    switch (part.part_kind) {
      case 'system-prompt':
        found.push({ role: 'system', content: content ?? '' });
        break;
      case 'user-prompt':
        found.push({ role: 'user', content: content ?? '', timestamp: at });
        break;
      case 'tool-return':
      case 'builtin-tool-return':
        if (part.part_kind === 'tool-return')
          found.push({ role: 'tool', tool_call_id: id, name: tool, content: content ?? '', timestamp: at });
        else said.push({ type: 'tool_result', tool_use_id: id ?? '', content: content ?? '' });
        break;
      case 'retry-prompt':
        // Without a tool it says to the model what is wrong with its answer; it is not from the user.
        if (str(tool) !== undefined)
          found.push({ role: 'tool', tool_call_id: id, name: tool, content, is_error: true, timestamp: at });
        break;
      case 'text':
        said.push({ type: 'text', text: content ?? '' });
        break;
      case 'thinking':
        said.push({ type: 'thinking', thinking: content ?? '' });
        break;
      case 'tool-call':
      case 'builtin-tool-call':
        said.push({ type: 'tool-call', toolCallId: id ?? '', toolName: tool ?? '', input: parsed(args) });
        break;
    }
  }
  if (message.kind === 'request') return found;
  const { model_name: model, usage, timestamp, finish_reason: reason } = message;
  return [{ role: 'assistant', content: said, model, usage, timestamp, finish_reason: reason }];
}

function autoGen(message: Obj, type: string): readonly Obj[] {
  const at = { timestamp: message.created_at };
  const { content, models_usage: usage } = message;
  switch (type) {
    case 'TextMessage':
    case 'MultiModalMessage':
    case 'HandoffMessage':
    case 'StopMessage':
      return [{ role: message.source === 'user' ? 'user' : 'assistant', content: content ?? '', usage, ...at }];
    case 'ThoughtEvent':
      return [{ role: 'assistant', content: [{ type: 'thinking', thinking: content ?? '' }], ...at }];
    case 'ToolCallRequestEvent':
      return [{ role: 'assistant', tool_calls: content, usage, ...at }];
    case 'ToolCallExecutionEvent':
      return list(content).map((each) => {
        const { call_id: id, name, content: output, is_error: failed } = obj(each);
        return { role: 'tool', tool_call_id: id, name, content: output ?? '', is_error: failed, ...at };
      });
    case 'ToolCallSummaryMessage': // the results again
      return [{ role: 'system', content: content ?? '' }];
    default:
      return [];
  }
}

const wrappings = ['message', 'msg', 'payload', 'item', 'content', 'event'];
const times = ['timestamp', 'ts', 'created_at', 'createdAt', 'time'];

/** The messages in a record of a log, which mostly adds the time. */
function unwrapped(record: Obj, depth: number): readonly Obj[] {
  for (const key of wrappings) {
    const inner = record[key];
    if (!isObject(inner)) continue;
    const found = plainMessages(inner, depth + 1);
    if (found.length === 0) continue;
    const when = times.find((time) => record[time] !== undefined);
    return when === undefined ? found : found.map((message) => ({ timestamp: record[when], ...message }));
  }
  return [];
}
