import type { ToolResult } from '@loopfuse/session';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs, ProcessOutputStepArgs } from '@mastra/core/processors';
import type { AgentEvent, Json } from 'loopfuse';

export type Message = ProcessLLMRequestArgs['prompt'][number];
type ResultOutput = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'];

/** The events of a request: every result (known ones are ignored later), and the user's message at its end. */
export function promptEvents(prompt: readonly Message[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const message of prompt)
    if (message.role === 'tool')
      for (const part of message.content)
        if (part.type === 'tool-result')
          events.push({ type: 'tool-result', id: part.toolCallId, ...outcome(part.output) });
  const last = prompt.at(-1);
  if (last?.role === 'user')
    events.push({ type: 'prompt', text: last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') });
  return events;
}

function outcome(output: ResultOutput): { output: Json; failed: boolean } {
  const failed = output.type === 'error-text' || output.type === 'error-json';
  if (output.type !== 'content') return { output: output.value as Json, failed };
  return { output: output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)), failed };
}

/** The results of the previous step, in the form that they have in a prompt. */
export function resultEvents(step: ProcessInputStepArgs['steps'][number] | undefined): readonly ToolResult[] {
  return (step?.toolResults ?? []).map(({ toolCallId, output }) => ({
    id: toolCallId,
    ...outcome(output as ResultOutput),
  }));
}

type Step = Pick<ProcessOutputStepArgs, 'toolCalls' | 'usage'>;

/** The calls and the usage of an answer of the model. Its text was reported while it was streamed. */
export function stepEvents({ toolCalls = [], usage }: Step): readonly AgentEvent[] {
  const calls = toolCalls.map(
    ({ toolCallId: id, toolName: tool, args }): AgentEvent => ({ type: 'tool-call', id, tool, input: args as Json }),
  );
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return inputTokens + outputTokens > 0 ? [...calls, { type: 'usage', inputTokens, outputTokens }] : calls;
}
