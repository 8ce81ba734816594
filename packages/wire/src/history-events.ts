import type { AgentEvent } from 'loopfuse';
import type { Message, ToolResult } from './conversation.js';

export interface HistoryEventsOptions {
  /** Whether a message in the role of the user is a request of the user, and was not put there by the agent. */
  readonly isPrompt?: (text: string) => boolean;
  /**
   * Whether a picture without text may be a request. It must not if the model has no tools: then agents show it the
   * screen after every step, and that must not make detectors start from scratch.
   */
  readonly wordless?: boolean;
}

/**
 * Messages of a history as events. A message of the user is a prompt unless tool results came since the model's last
 * message: agents add reminders to results, and these must not make detectors start from scratch.
 */
export function historyEvents(
  messages: readonly Message[],
  { isPrompt = (text) => text !== '' && !isWrapped(text), wordless = false }: HistoryEventsOptions = {},
): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  let sinceModel: 'nothing' | 'results' = 'nothing';
  for (const message of messages) {
    if (message.role === 'assistant') {
      sinceModel = 'nothing';
      events.push({ type: 'turn-start' });
      if (message.reasoning !== '') events.push({ type: 'reasoning', text: message.reasoning });
      if (message.text !== '') events.push({ type: 'text', text: message.text });
      for (const { id, tool, input } of message.calls) events.push({ type: 'tool-call', id, tool, input });
      events.push(...message.results.map(resultEvent), { type: 'turn-end' });
    } else if (message.role === 'tool') {
      sinceModel = 'results';
      events.push(...message.results.map(resultEvent));
    } else if (
      message.role === 'user' &&
      sinceModel === 'nothing' &&
      (message.wordless ? wordless : isPrompt(message.text))
    )
      events.push({ type: 'prompt', text: message.text });
  }
  return events;
}

function resultEvent({ id, text, failed }: ToolResult): AgentEvent {
  return { type: 'tool-result', id, output: text, ...(failed === true ? { failed } : {}) };
}

/** Whether the agent wrote a message in the role of the user: such texts are wrapped completely in one tag. */
export function isWrapped(text: string): boolean {
  const tag = /^\s*<([a-z][a-z_-]*)[ >]/i.exec(text.slice(0, 200))?.[1];
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`);
}
