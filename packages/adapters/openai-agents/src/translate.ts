import type { AgentInputItem, AgentOutputItem, ModelRequest, StreamEvent } from '@openai/agents';
import type { AgentEvent, Json } from 'loopfuse';

/** The events of an item of a whole answer. */
export function outputEvents(item: AgentOutputItem): readonly AgentEvent[] {
  switch (item.type) {
    case 'message':
    case undefined:
      return item.role === 'assistant' ? [{ type: 'text', text: textOf(item.content) }] : [];
    case 'reasoning':
      return [{ type: 'reasoning', text: textOf(item.rawContent ?? item.content) }];
    case 'function_call':
      return [{ type: 'tool-call', id: item.callId, tool: item.name, input: parsed(item.arguments) }];
    default:
      return [];
  }
}

/** The events of an event of a streamed answer. The text of the whole answer at the end was reported before. */
export function streamEvents(event: StreamEvent): readonly AgentEvent[] {
  switch (event.type) {
    case 'output_text_delta':
      return [{ type: 'text', text: event.delta }];
    case 'model':
      return reasoningOf(event.event);
    case 'response_done': {
      const calls = (event.response.output as AgentOutputItem[]).filter(({ type }) => type === 'function_call');
      return [...calls.flatMap(outputEvents), ...usageEvents(event.response.usage)];
    }
    default:
      return [];
  }
}

/** Reasoning is streamed only in the provider's own events, of the responses or the chat protocol. */
function reasoningOf(raw: unknown): readonly AgentEvent[] {
  const { type, delta, choices } = (raw ?? {}) as { type?: unknown; delta?: unknown; choices?: unknown };
  if (
    typeof delta === 'string' &&
    typeof type === 'string' &&
    /^response\.reasoning(_summary)?_text\.delta$/.test(type)
  )
    return [{ type: 'reasoning', text: delta }];
  const [choice] = Array.isArray(choices) ? choices : [];
  const said = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning;
  return typeof said === 'string' ? [{ type: 'reasoning', text: said }] : [];
}

export function usageEvents(usage: { inputTokens?: number; outputTokens?: number } | undefined): readonly AgentEvent[] {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return inputTokens + outputTokens > 0 ? [{ type: 'usage', inputTokens, outputTokens }] : [];
}

/** The events of a request: every result (known ones are ignored later), and the user's message at its end. */
export function requestEvents(input: ModelRequest['input']): readonly AgentEvent[] {
  if (typeof input === 'string') return [{ type: 'prompt', text: input }];
  const events: AgentEvent[] = [];
  for (const item of input)
    if (item.type === 'function_call_result')
      events.push({ type: 'tool-result', id: item.callId, output: outputOf(item.output) });
  const last = input.at(-1);
  if (last && isUserMessage(last)) events.push({ type: 'prompt', text: textOf(last.content) });
  return events;
}

function isUserMessage(item: AgentInputItem): item is Extract<AgentInputItem, { role: 'user' }> {
  return 'role' in item && item.role === 'user';
}

function outputOf(output: unknown): Json {
  const text = textOf(output);
  return text === '' ? (output as Json) : text;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  const { text, refusal } = (content ?? {}) as { text?: unknown; refusal?: unknown };
  return typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : '';
}

export function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}
