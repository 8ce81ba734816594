import type { PostToolBatchHookInput, PreToolUseHookInput } from '@anthropic-ai/claude-agent-sdk';
import type { ToolCall, ToolResult } from '@loopfuse/session';
import type { Json } from 'loopfuse';

export function callOf({ tool_use_id, tool_name, tool_input }: PreToolUseHookInput): ToolCall {
  return { id: tool_use_id, tool: tool_name, input: tool_input as Json };
}

/** The results of all calls of a turn, in their order. `failures` has the errors of those that failed. */
export function resultsOf(
  { tool_calls }: PostToolBatchHookInput,
  failures: ReadonlyMap<string, string>,
): readonly ToolResult[] {
  return tool_calls.map(({ tool_use_id: id, tool_response }) => {
    const error = failures.get(id);
    return error === undefined ? { id, output: outputOf(tool_response) } : { id, output: error, failed: true };
  });
}

/** The text of a result that consists of text blocks, else the result as it is. */
function outputOf(response: unknown): Json {
  if (!Array.isArray(response)) return (response ?? '') as Json;
  const texts = response.map((block) => (block as { text?: unknown } | null)?.text);
  return texts.every((text) => typeof text === 'string') ? texts.join('') : (response as Json);
}
