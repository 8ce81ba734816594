import type { RequestView, Wire } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';

/** Where a protocol keeps the history, and what a message of ours looks like in it. */
export interface History {
  readonly key: 'messages' | 'input' | 'contents';
  message(text: string): unknown;
}

export const histories: { readonly [Name in Wire['name']]: History } = {
  'openai-chat': { key: 'messages', message: (content) => ({ role: 'user', content }) },
  'openai-responses': {
    key: 'input',
    message: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  },
  anthropic: { key: 'messages', message: (content) => ({ role: 'user', content }) },
  gemini: { key: 'contents', message: (text) => ({ role: 'user', parts: [{ text }] }) },
};

/** What a request brings: every result, of which those known already are ignored, and the message of the user it ends with. */
export function requestEvents(messages: RequestView['messages']): readonly AgentEvent[] {
  const events: AgentEvent[] = messages.flatMap(({ results }) =>
    results.map(({ id, text, failed = false }): AgentEvent => ({ type: 'tool-result', id, output: text, failed })),
  );
  const last = messages.at(-1);
  if (last?.role === 'user' && last.results.length === 0) events.push({ type: 'prompt', text: last.text });
  return events;
}
