import type { Tool, ToolInput, ToolOutcome } from '../tools/tool.js';
import { diskFiles } from '../workspace/files.js';
import { createWorkspace } from '../workspace/workspace.js';

/** Runs a tool in a folder, as the scheduler would. */
export async function runTool(
  tool: Tool,
  root: string,
  input: ToolInput,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome & { readonly streamed: string }> {
  let streamed = '';
  const onOutput = (text: string) => {
    streamed += text;
  };
  const outcome = await tool.run(tool.schema.parse(input) as ToolInput, {
    workspace: createWorkspace(root),
    files: diskFiles,
    signal,
    onOutput,
  });
  return { ...outcome, streamed };
}
