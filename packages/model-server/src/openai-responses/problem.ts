import type { Place } from '@loopfuse/wire';
import { fieldsOf, isObject, listOf, quote, stringOf, textOf } from '@loopfuse/wire';
import { itemsOf } from '@loopfuse/wire/openai-responses';
import { schemaProblem } from '../schema-problem.js';
import { sealBroken } from '../seal.js';
import { toolsProblem } from '../tools-problem.js';

const roles = ['user', 'assistant', 'system', 'developer'];
const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

/** Checks a body as the responses endpoint does. Without a store, references to earlier items are not checked. */
export function problem(body: unknown, place: Place): string | undefined {
  if (!isObject(body)) return 'the body must be a JSON object';
  if (typeof body.model !== 'string' || body.model === '') return 'model: a string is required';
  if (typeof body.input !== 'string' && !(Array.isArray(body.input) && body.input.length > 0))
    return 'input: a string or a list of at least one item is required';
  const { items, missing } = itemsOf(body, place);
  if (place.stored !== undefined && missing.length > 0) return `input: nothing is stored under ${quote(missing[0])}`;
  return (
    itemsProblem(items, missing.length > 0) ??
    toolsProblem({
      tools: listOf(body.tools)
        .filter(isObject)
        .filter(({ type }) => type === 'function' || type === 'custom'),
      names: toolName,
    }) ??
    formatProblem(fieldsOf(body.text).format)
  );
}

function itemsProblem(items: readonly unknown[], partial: boolean): string | undefined {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    if (!isObject(item)) return `${at}: must be an object`;
    const { type, role, call_id } = item;
    if (type === 'function_call' || type === 'custom_tool_call') {
      const wrong = callProblem(at, item);
      if (wrong !== undefined) return wrong;
      if (called.has(call_id as string)) return `${at}.call_id: ${quote(call_id)} is used twice`;
      called.add(call_id as string);
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      if (typeof call_id !== 'string') return `${at}.call_id: a string is required`;
      if (typeof item.output !== 'string' && !Array.isArray(item.output))
        return `${at}.output: a string or a list of parts is required`;
      if (!called.has(call_id) && !partial) return `${at}: there is no call ${quote(call_id)} before this output`;
      if (answered.has(call_id)) return `${at}: the call ${quote(call_id)} has an output already`;
      answered.add(call_id);
    } else if (type === 'reasoning') {
      const wrong = reasoningProblem(at, item);
      if (wrong !== undefined) return wrong;
    } else if (type === undefined || type === 'message') {
      const wrong = messageProblem(at, role, item.content);
      if (wrong !== undefined) return wrong;
    } else if (typeof type !== 'string') return `${at}.type: must be a string, got ${quote(type)}`;
  }
  const open = [...called].filter((id) => !answered.has(id));
  return open.length > 0 ? `input: there is no output for the call ${open.map(quote).join(', ')}` : undefined;
}

function callProblem(at: string, { type, call_id, name, arguments: args, input }: Readonly<Record<string, unknown>>) {
  if (typeof call_id !== 'string' || call_id === '') return `${at}.call_id: a string is required`;
  if (typeof name !== 'string' || !toolName.test(name))
    return `${at}.name: must match ${toolName.source}, got ${quote(name)}`;
  if (type === 'function_call' && typeof args !== 'string')
    return `${at}.arguments: must be JSON in a string, got ${quote(args)}`;
  if (type === 'custom_tool_call' && typeof input !== 'string') return `${at}.input: a string is required`;
  return undefined;
}

function reasoningProblem(at: string, { summary, encrypted_content }: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(summary)) return `${at}.summary: a list is required`;
  if (typeof encrypted_content === 'string' && sealBroken(encrypted_content, textOf(summary)))
    return `${at}.encrypted_content: could not be verified`;
  return undefined;
}

function messageProblem(at: string, role: unknown, content: unknown): string | undefined {
  if (typeof role !== 'string' || !roles.includes(role)) return `${at}.role: ${quote(role)} is not a known role`;
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return `${at}.content: a string or a list of parts is required`;
  for (const [nth, part] of content.entries()) {
    const type = stringOf(fieldsOf(part).type);
    const fits = role === 'assistant' ? ['output_text', 'refusal'].includes(type) : type.startsWith('input_');
    if (!fits) return `${at}.content[${nth}].type: ${quote(fieldsOf(part).type)} is not a part of ${role} content`;
  }
  return undefined;
}

function formatProblem(format: unknown): string | undefined {
  const { type, name, schema } = fieldsOf(format);
  if (type !== 'json_schema') return undefined;
  if (typeof name !== 'string') return 'text.format.name: a string is required';
  return schemaProblem('text.format.schema', schema);
}
