import type { Json } from 'loopfuse';
import { isObject, type Obj, obj, parsed, str } from './json.js';

/** A call of a tool, as a message of some interface has it. */
export interface Call {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: Json;
}

/** A call as it stands in a list of calls. */
export function callOf(value: Json): Call {
  const call = obj(value);
  const named = obj(call.function);
  return {
    id: str(call.id) ?? str(call.toolCallId),
    tool: str(named.name) ?? str(call.name) ?? str(call.toolName) ?? 'unknown',
    input: parsed(named.arguments ?? call.args ?? call.arguments ?? call.input),
  };
}

/** The call that a block of content is. */
export function callIn(block: Obj): Call | undefined {
  const type = str(block.type) ?? '';
  const gemini = block.functionCall ?? block.function_call;
  if (gemini !== undefined) return callOf(gemini);
  if (type === 'toolRequest') {
    const { toolCall } = block;
    return { ...callOf(obj(toolCall).value ?? obj(toolCall).Ok ?? toolCall ?? {}), id: str(block.id) };
  }
  if (isObject(block.toolUse)) return { ...callOf(block.toolUse), id: str(block.toolUse.toolUseId) };
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return { id: str(block.id), tool: str(block.name) ?? 'unknown', input: block.input ?? {} };
  if (type === 'tool-invocation') return callOf(block.toolInvocation ?? {});
  if (type === 'tool-call' || type === 'toolCall' || type === 'tool_call' || type === 'dynamic-tool')
    return { ...callOf(block as Json), input: parsed(block.input ?? block.args ?? block.arguments) };
  // A message of the AI SDK's user interface names the tool in the type.
  if (type.startsWith('tool-') && str(block.toolCallId) !== undefined && str(block.state) !== undefined)
    return { id: str(block.toolCallId), tool: type.slice('tool-'.length), input: block.input ?? block.rawInput ?? {} };
  return undefined;
}

/** A call of OpenAI's responses. The kinds that the provider defines name their tool in the type. */
export function callOfItem(item: Obj, type: string): Call {
  const input =
    item.arguments ?? item.input ?? item.action ?? item.operation ?? item.queries ?? item.code ?? item.actions;
  return {
    id: str(item.call_id) ?? str(item.callId) ?? str(item.id),
    tool: str(item.name) ?? type.slice(0, -'_call'.length),
    input: parsed(input ?? undefined),
  };
}
