import type { AgentStreamEvent, Message, ModelStreamEvent, ToolResultBlock } from '@strands-agents/sdk';
import type { AgentEvent, Json } from 'loopfuse';

/** The events of an event of the model's answer. Calls are read when they are whole, text in pieces. */
export function answerEvents(event: AgentStreamEvent): readonly AgentEvent[] {
  if (event.type === 'modelStreamUpdateEvent') return streamEvents(event.event);
  if (event.type !== 'contentBlockEvent' || event.contentBlock.type !== 'toolUseBlock') return [];
  const { toolUseId, name, input } = event.contentBlock;
  return [{ type: 'tool-call', id: toolUseId, tool: name, input: input as Json }];
}

function streamEvents(event: ModelStreamEvent): readonly AgentEvent[] {
  if (event.type === 'modelMetadataEvent') {
    const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
    return inputTokens + outputTokens > 0 ? [{ type: 'usage', inputTokens, outputTokens }] : [];
  }
  if (event.type !== 'modelContentBlockDeltaEvent') return [];
  const { delta } = event;
  switch (delta.type) {
    case 'textDelta':
      return delta.text === '' ? [] : [{ type: 'text', text: delta.text }];
    case 'reasoningContentDelta':
      return delta.text ? [{ type: 'reasoning', text: delta.text }] : [];
    case 'citationsDelta':
      return delta.content.map(({ text }) => ({ type: 'text', text }));
    default:
      return [];
  }
}

/** The events of a request: every result (known ones are ignored later), and the user's message at its end. */
export function requestEvents(messages: readonly Message[]): readonly AgentEvent[] {
  const results = messages.flatMap(resultsOf);
  const events = results.map((result): AgentEvent => ({ type: 'tool-result', ...outcome(result) }));
  const last = messages.at(-1);
  if (last?.role === 'user' && resultsOf(last).length === 0)
    events.push({ type: 'prompt', text: textOf(last.content) });
  return events;
}

function resultsOf({ content }: Message): readonly ToolResultBlock[] {
  return content.filter((block) => block.type === 'toolResultBlock');
}

function outcome({ toolUseId, status, content }: ToolResultBlock): { id: string; output: Json; failed: boolean } {
  const [first] = content;
  const isText = content.every(({ type }) => type === 'textBlock');
  const isValue = content.length === 1 && first?.type === 'jsonBlock';
  const output = isText ? textOf(content) : isValue ? first.json : content;
  return { id: toolUseId, output: output as Json, failed: status === 'error' };
}

function textOf(blocks: readonly { readonly type: string }[]): string {
  return blocks.map((block) => (block.type === 'textBlock' ? (block as { text?: string }).text : '')).join('');
}
