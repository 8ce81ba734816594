import type { Json } from 'loopfuse';
import type { Call, ToolResult } from '../conversation.js';
import { fieldsOf, outcomeOf, stringOf } from '../foreign.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a block is a call of a tool that the provider itself runs during its answer, such as a web search. */
export function isProviderCall({ type }: Fields): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use';
}

/** Whether a block is the result of such a call: its type begins with the name of the tool. */
export function isProviderResult({ type, tool_use_id }: Fields): boolean {
  return typeof tool_use_id === 'string' && stringOf(type).endsWith('_tool_result');
}

export function callIn({ id, name, input }: Fields): Call {
  return { id: stringOf(id), tool: stringOf(name), input: (input ?? {}) as Json };
}

/** The result in a block, whether the client or the provider ran the tool. */
export function resultIn({ tool_use_id, content, is_error }: Fields, tool: string): ToolResult {
  const failed = is_error === true || stringOf(fieldsOf(content).type).endsWith('_error');
  return { id: stringOf(tool_use_id), tool, text: outcomeOf(content), failed };
}
