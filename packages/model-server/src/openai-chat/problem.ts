import { fieldsOf, isObject, listOf, quote, stringOf } from '@loopfuse/wire';
import { schemaProblem } from '../schema-problem.js';
import { toolsProblem } from '../tools-problem.js';

const roles = ['developer', 'system', 'user', 'assistant', 'tool'];
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Checks a body as the chat completions endpoint does: required fields, and every call answered directly after it. */
export function problem(body: unknown): string | undefined {
  if (!isObject(body)) return 'the body must be a JSON object';
  if (typeof body.model !== 'string' || body.model === '') return 'model: a string is required';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages: at least one message is required';
  return (
    historyProblem(body.messages) ??
    toolsProblem({
      tools: listOf(body.tools).map((tool) => fieldsOf(fieldsOf(tool).function ?? fieldsOf(tool).custom)),
      forced: fieldsOf(fieldsOf(body.tool_choice).function).name,
      names: toolName,
    }) ??
    toolShapeProblem(listOf(body.tools)) ??
    formatProblem(body.response_format)
  );
}

function historyProblem(messages: readonly unknown[]): string | undefined {
  let open = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) return `${at}: must be an object`;
    const { role, content, tool_calls, tool_call_id } = message;
    if (typeof role !== 'string' || !roles.includes(role)) return `${at}.role: ${quote(role)} is not a known role`;
    if (role === 'tool') {
      if (typeof tool_call_id !== 'string') return `${at}.tool_call_id: a string is required`;
      if (!open.delete(tool_call_id))
        return `${at}: a tool message must answer a call of the assistant message before it, but ${quote(tool_call_id)} is none of its open calls`;
    } else if (open.size > 0) return unanswered(open);
    const missing = contentProblem(at, role, content, tool_calls);
    if (missing !== undefined) return missing;
    if (role === 'assistant') {
      open = new Map();
      for (const [nth, call] of listOf(tool_calls).entries()) {
        const wrong = callProblem(`${at}.tool_calls[${nth}]`, call);
        if (wrong !== undefined) return wrong;
        const id = fieldsOf(call).id as string;
        if (open.has(id)) return `${at}.tool_calls[${nth}].id: ${quote(id)} is used twice`;
        open.set(id, index);
      }
    }
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(open: ReadonlyMap<string, number>): string {
  const [first] = open.values();
  return `messages[${first}]: its tool calls must be answered by the tool messages right after it; no answer to ${[...open.keys()].map(quote).join(', ')}`;
}

function contentProblem(at: string, role: string, content: unknown, calls: unknown): string | undefined {
  if (content === null || content === undefined) {
    if (role === 'assistant' && listOf(calls).length > 0) return undefined;
    return `${at}.content: a string or a list of parts is required${role === 'assistant' ? ' unless there are tool calls' : ''}`;
  }
  if (role === 'assistant' && Array.isArray(calls) && calls.length === 0)
    return `${at}.tool_calls: an empty list is not allowed; leave it out`;
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content) || content.length === 0) return `${at}.content: a string or a list of parts is required`;
  const bad = content.findIndex((part) => typeof fieldsOf(part).type !== 'string');
  return bad < 0 ? undefined : `${at}.content[${bad}].type: a string is required`;
}

function callProblem(at: string, call: unknown): string | undefined {
  const { id, type, function: called, custom } = fieldsOf(call);
  if (typeof id !== 'string' || id === '') return `${at}.id: a string is required`;
  if (type === 'custom') {
    const { name, input } = fieldsOf(custom);
    return typeof name === 'string' && typeof input === 'string'
      ? undefined
      : `${at}.custom: a name and an input are required`;
  }
  if (type !== 'function') return `${at}.type: must be "function" or "custom", got ${quote(type)}`;
  const { name, arguments: input } = fieldsOf(called);
  if (typeof name !== 'string' || !toolName.test(name))
    return `${at}.function.name: must match ${toolName.source}, got ${quote(name)}`;
  if (typeof input !== 'string') return `${at}.function.arguments: must be JSON in a string, got ${quote(input)}`;
  return undefined;
}

function toolShapeProblem(tools: readonly unknown[]): string | undefined {
  const bad = tools.findIndex((tool) => !['function', 'custom'].includes(stringOf(fieldsOf(tool).type)));
  return bad < 0
    ? undefined
    : `tools[${bad}].type: must be "function" or "custom", got ${quote(fieldsOf(tools[bad]).type)}`;
}

function formatProblem(format: unknown): string | undefined {
  const { type, json_schema } = fieldsOf(format);
  if (type !== 'json_schema') return undefined;
  const { name, schema } = fieldsOf(json_schema);
  if (typeof name !== 'string') return 'response_format.json_schema.name: a string is required';
  return schemaProblem('response_format.json_schema.schema', schema);
}
