import type { Json } from 'loopfuse';
import type { Call, ToolResult } from '../conversation.js';
import { argumentsOf, asText, fieldsOf, outcomeOf, stringOf } from '../foreign.js';

/** Tools that the client runs besides functions; what the provider runs itself is not a call of the agent. */
const clientTools: Readonly<Record<string, string>> = {
  local_shell_call: 'local_shell',
  shell_call: 'shell',
  apply_patch_call: 'apply_patch',
  computer_call: 'computer',
};

/** The types of items that are calls for the client to run. */
export const callTypes: readonly string[] = ['function_call', 'custom_tool_call', ...Object.keys(clientTools)];

/** Calls that the provider runs and whose results it reports; for a web search, if the request wants its sources. */
export const providerTypes: readonly string[] = [
  'mcp_call',
  'code_interpreter_call',
  'file_search_call',
  'web_search_call',
];

/** The call in an item; undefined if it is not a call for the client to run. */
export function callOf(item: unknown): Call | undefined {
  const { type, id, call_id, name, arguments: args, input, action, operation } = fieldsOf(item);
  const named = stringOf(call_id) || stringOf(id);
  if (type === 'function_call') return { id: named, tool: stringOf(name), input: argumentsOf(asText(args)) };
  if (type === 'custom_tool_call') return { id: named, tool: stringOf(name), input: asText(input) };
  const tool = clientTools[stringOf(type)];
  return tool === undefined ? undefined : { id: named, tool, input: (action ?? operation ?? {}) as Json };
}

/** A call that the provider ran itself, with its result; undefined if it is not such a call, or has no result. */
export function ranIn(item: unknown): { readonly call: Call; readonly result: ToolResult } | undefined {
  const { type, id, name, arguments: args, code, queries, action, output, outputs, results, error } = fieldsOf(item);
  const kind = stringOf(type);
  const { sources, ...wanted } = fieldsOf(action);
  const outcome = error ?? output ?? outputs ?? results ?? sources;
  if (!providerTypes.includes(kind) || outcome === undefined || outcome === null) return undefined;
  const tool = stringOf(name) || kind.slice(0, -'_call'.length);
  const input = args === undefined ? ((code ?? queries ?? wanted) as Json) : argumentsOf(asText(args));
  const failed = error !== undefined && error !== null;
  return {
    call: { id: stringOf(id), tool, input },
    result: { id: stringOf(id), tool, text: outcomeOf(outcome), failed },
  };
}

export function isCallOutput(type: unknown): boolean {
  const name = stringOf(type);
  return name === 'function_call_output' || name === 'custom_tool_call_output' || isClientOutput(name);
}

function isClientOutput(name: string): boolean {
  return name.endsWith('_output') && Object.hasOwn(clientTools, name.slice(0, -'_output'.length));
}
