import type { Json } from 'loopfuse';
import { isObject, type Obj, obj, parsed, str } from './json.js';

/** A call of a tool, from a message of any model interface. */
export interface Call {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: Json;
}

/** A call from a list of calls. */
export function callOf(value: Json): Call {
  const call = obj(value);
  const named = obj(call.function);
  return {
    id: str(call.id) ?? str(call.toolCallId),
    tool: str(named.name) ?? str(call.name) ?? str(call.toolName) ?? 'unknown',
    input: parsed(named.arguments ?? call.args ?? call.arguments ?? call.input),
  };
}

/** The call in a block of content; undefined if the block is not a call. */
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
  // In messages for the AI SDK's user interface, the type contains the tool's name.
  if (type.startsWith('tool-') && str(block.toolCallId) !== undefined && str(block.state) !== undefined)
    return { id: str(block.toolCallId), tool: type.slice('tool-'.length), input: block.input ?? block.rawInput ?? {} };
  return undefined;
}

/** A call of OpenAI's responses. For calls of tools that the provider defines, the type contains the tool's name. */
export function callOfItem(item: Obj, type: string): Call {
  const input =
    item.arguments ?? item.input ?? item.action ?? item.operation ?? item.queries ?? item.code ?? item.actions;
  return {
    id: str(item.call_id) ?? str(item.callId) ?? str(item.id),
    tool: str(item.name) ?? type.slice(0, -'_call'.length),
    input: parsed(input ?? undefined),
  };
}
