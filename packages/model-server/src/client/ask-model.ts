import type { Protocol } from '../turn.js';
import { hearChunk, OpenCalls, type Spoken, silence } from './hear.js';
import { readEvents, type ServerEvent } from './read-events.js';
import { type Conversation, requestBodyOf } from './request-body-of.js';

export interface AskOptions extends Conversation {
  /** Of the server, without `/v1`. */
  readonly url: string;
  readonly protocol: Protocol;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the body that the conversation makes. */
  readonly body?: unknown;
  /** Sees every chunk as it comes. */
  readonly onEvent?: (event: ServerEvent) => void;
}

/** An answer as a client hears it. */
export interface Heard extends Spoken {
  readonly status: number;
  readonly headers: Headers;
  /** The chunks of a stream; the one body otherwise. */
  readonly events: readonly ServerEvent[];
  /** Why the answer is not whole. */
  broken?: Error;
}

/** Asks for one turn over the real protocol, as a client without an SDK does. Rejects only when no answer begins. */
export async function askModel(options: AskOptions): Promise<Heard> {
  const { url, protocol, signal, headers = {}, stream = false, model = 'scripted-model' } = options;
  const response = await fetch(`${url}${pathOf(protocol, model, stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders[protocol], ...headers },
    body: JSON.stringify(options.body ?? requestBodyOf(protocol, options)),
    ...(signal ? { signal } : {}),
  });
  const events: ServerEvent[] = [];
  const heard: Heard = { ...silence(), status: response.status, headers: response.headers, events };
  const open = new OpenCalls();
  const take = (event: ServerEvent) => {
    events.push(event);
    options.onEvent?.(event);
    if (event.data !== '[DONE]') hearChunk[protocol](heard, JSON.parse(event.data), open);
  };
  try {
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) take({ data: await response.text() });
    else for await (const event of readEvents(response.body as unknown as AsyncIterable<Uint8Array>)) take(event);
  } catch (cause) {
    heard.broken = cause as Error;
  }
  heard.calls = open.close();
  return heard;
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
