import { AIMessage, type BaseMessage, HumanMessage, ToolMessage, type UsageMetadata } from '@langchain/core/messages';
import type { AgentEvent, Json } from 'loopfuse';

/** The events of an answer of the model, in the order of its parts. */
export function answerEvents(message: AIMessage): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const thought = reasoningOf(message);
  if (thought !== '') events.push({ type: 'reasoning', text: thought });
  if (message.text !== '') events.push({ type: 'text', text: message.text });
  for (const { id, name, args } of message.tool_calls ?? [])
    events.push({ type: 'tool-call', id: id ?? name, tool: name, input: args as Json });
  const usage = message.usage_metadata as UsageMetadata | undefined;
  // Some providers leave out counts of zero.
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = usage ?? {};
  if (usage) events.push({ type: 'usage', inputTokens, outputTokens, ...cached(usage) });
  return events;
}

/** The events of a request: every result (known ones are ignored later), and the user's request at its end. */
export function historyEvents(messages: readonly BaseMessage[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const message of messages)
    if (ToolMessage.isInstance(message))
      events.push({
        type: 'tool-result',
        id: message.tool_call_id,
        output: message.text === '' ? (message.content as Json) : message.text,
        // A result without a status may have failed: versions before 1.5.14 set none for what a tool threw.
        ...(message.status === undefined ? {} : { failed: message.status === 'error' }),
      });
  const last = messages.at(-1);
  if (last && HumanMessage.isInstance(last)) events.push({ type: 'prompt', text: last.text });
  return events;
}

export function isAnswer(value: unknown): value is AIMessage {
  return AIMessage.isInstance(value);
}

function reasoningOf({ contentBlocks, additional_kwargs }: AIMessage): string {
  const blocks = contentBlocks.map((block) => (block.type === 'reasoning' ? String(block.reasoning ?? '') : ''));
  const thought = blocks.join('');
  const extra = additional_kwargs.reasoning_content;
  return thought === '' && typeof extra === 'string' ? extra : thought;
}

function cached({ input_token_details }: UsageMetadata): { cachedTokens?: number } {
  const tokens = input_token_details?.cache_read;
  return tokens === undefined ? {} : { cachedTokens: tokens };
}
