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

/** The history of a request as the list of the protocol, also if the SDK was given another form. */
export function entriesOf(wire: Wire, body: object): readonly unknown[] {
  const { key, message } = histories[wire.name];
  const history = (body as Record<string, unknown>)[key];
  if (wire.name === 'gemini') return contentsOf(history);
  return Array.isArray(history) ? history : history === undefined ? [] : [message(String(history))];
}

/** Gemini's SDK accepts one content, one part or text, or a list of parts and texts, which is one message. */
function contentsOf(given: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  if (list.every((one) => Array.isArray((one as { parts?: unknown } | null)?.parts))) return list;
  return [{ role: 'user', parts: list.map((one) => (typeof one === 'string' ? { text: one } : one)) }];
}

export function messagesOf(wire: Wire, body: object): RequestView['messages'] {
  return wire.readRequest({ ...body, [histories[wire.name].key]: entriesOf(wire, body) }).messages;
}

/** The events of a request: every result (known ones are ignored later), and the user's message at its end. */
export function requestEvents(messages: RequestView['messages']): readonly AgentEvent[] {
  const events: AgentEvent[] = messages.flatMap(({ results }) =>
    results.map(({ id, text, failed = false }): AgentEvent => ({ type: 'tool-result', id, output: text, failed })),
  );
  const last = messages.at(-1);
  if (last?.role === 'user' && last.results.length === 0) events.push({ type: 'prompt', text: last.text });
  return events;
}
