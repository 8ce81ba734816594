import { type Call, isEventStream, type Protocol, parsedChunk, readEvents, wires } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { type Conversation, requestBodyOf } from './request-body-of.js';

export interface AskOptions extends Conversation {
  /** Of the server, without `/v1`. */
  readonly url: string;
  readonly protocol: Protocol;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the body that is made from the conversation. */
  readonly body?: unknown;
  /** Called with every chunk. */
  readonly onEvent?: (event: ServerEvent) => void;
}

/** One server-sent event; the body of an answer in one piece counts as one. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

/** The content of an answer, streamed or whole. */
export interface Spoken {
  text: string;
  reasoning: string;
  calls: Call[];
  /** The provider's finish reason; empty while there is none. */
  finish: string;
  inputTokens: number;
  outputTokens: number;
  /** The error that the provider reports in mid-stream. */
  error?: string;
}

/** An answer as received by a client. */
export interface ModelAnswer extends Spoken {
  readonly status: number;
  readonly headers: Headers;
  /** The chunks of a stream; the one body otherwise. */
  readonly events: readonly ServerEvent[];
  /** Why the answer is not whole. */
  broken?: Error;
}

/** Asks for one turn over the real protocol, as a client without an SDK does. Rejects only when no answer begins. */
export async function askModel(options: AskOptions): Promise<ModelAnswer> {
  const { url, protocol, signal, headers = {}, stream = false, model = 'scripted-model' } = options;
  const response = await fetch(`${url}${pathOf(protocol, model, stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders[protocol], ...headers },
    body: JSON.stringify(options.body ?? requestBodyOf(protocol, options)),
    ...(signal ? { signal } : {}),
  });
  const events: ServerEvent[] = [];
  const nothing = { text: '', reasoning: '', calls: [], finish: '', inputTokens: 0, outputTokens: 0 };
  const received: ModelAnswer = { ...nothing, status: response.status, headers: response.headers, events };
  const reader = wires[protocol].readAnswer({ nameCall: () => '' });
  const take = (event: ServerEvent) => {
    events.push(event);
    options.onEvent?.(event);
    const value = parsedChunk(event.data);
    if (value === undefined && event.data !== '[DONE]')
      throw new SyntaxError(`a chunk is not valid JSON: ${event.data}`);
    for (const one of reader.read(value)) add(received, one);
  };
  try {
    if (!isEventStream(response.headers.get('content-type'))) take({ data: await response.text() });
    else for await (const event of readEvents(response.body as unknown as AsyncIterable<Uint8Array>)) take(event);
  } catch (cause) {
    received.broken = cause as Error;
  }
  for (const one of reader.end()) add(received, one);
  if (reader.error !== undefined) {
    received.error = reader.error;
    received.finish = '';
  }
  return received;
}

function add(received: Spoken, event: AgentEvent): void {
  if (event.type === 'text' || event.type === 'reasoning') received[event.type] += event.text;
  else if (event.type === 'tool-call') received.calls.push({ id: event.id, tool: event.tool, input: event.input });
  else if (event.type === 'turn-end') received.finish = event.reason ?? '';
  else if (event.type === 'usage') {
    received.inputTokens = event.inputTokens;
    received.outputTokens = event.outputTokens;
  }
}

export function pathOf(protocol: Protocol, model: string, stream: boolean): string {
  if (protocol === 'openai-chat') return '/v1/chat/completions';
  if (protocol === 'openai-responses') return '/v1/responses';
  if (protocol === 'anthropic') return '/v1/messages';
  return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

const keyHeaders: { readonly [Name in Protocol]: Readonly<Record<string, string>> } = {
  'openai-chat': { authorization: 'Bearer scripted' },
  'openai-responses': { authorization: 'Bearer scripted' },
  anthropic: { 'x-api-key': 'scripted', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'scripted' },
};
