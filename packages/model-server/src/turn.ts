import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from 'loopfuse';

export const protocols = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Protocol = (typeof protocols)[number];

/** One request to the model as every protocol means it, which is all that a script needs to know. */
export interface TurnRequest {
  readonly protocol: Protocol;
  readonly model: string;
  readonly stream: boolean;
  /** The system prompt, wherever the protocol keeps it. */
  readonly system: string;
  /** The history without the system prompt. Results of tools are messages of their own, and so are later words of the system. */
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** The tool that the request says must be called. */
  readonly forced?: string;
  /** The JSON schema that the request wants the answer to have. */
  readonly schema?: JsonSchema;
  /** The results that came since the model last spoke. */
  readonly results: readonly ToolResult[];
  /** How often the model has spoken before in the history that was sent. */
  readonly turn: number;
  /** How many requests of this conversation the server has had before this one, retries included. */
  readonly asked: number;
  /** Names the conversation: equal for all requests that belong together. */
  readonly conversation: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly body: unknown;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortSignal;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly results: readonly ToolResult[];
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  /** Parsed where it is JSON, else the text. */
  readonly input: Json;
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  /** Only where the protocol says so. */
  readonly failed?: boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** A custom tool takes free text in place of an object. */
  readonly takes: 'object' | 'text';
  readonly parameters: JsonSchema;
  /** The group that the protocol puts it in, where it has groups. */
  readonly namespace?: string;
}

export type JsonSchema = { readonly [key: string]: Json };

/** What a protocol reads from a body; the server adds what only it knows. */
export type TurnBody = Pick<TurnRequest, 'stream' | 'system' | 'messages' | 'tools' | 'forced' | 'schema'> & {
  readonly model: string;
};

/** Parts the system prompt from the history that follows it. */
export function apart(messages: readonly Message[], prompt = ''): Pick<TurnRequest, 'system' | 'messages'> {
  const begun = messages.findIndex(({ role }) => role !== 'system');
  const leading = begun < 0 ? messages.length : begun;
  const texts = messages.slice(0, leading).map(({ text }) => text);
  return { system: (prompt === '' ? texts : [prompt, ...texts]).join('\n'), messages: messages.slice(leading) };
}

/** The results that came since the model last spoke. */
export function latestResults(messages: readonly Message[]): readonly ToolResult[] {
  const since = messages.findLastIndex((message) => message.role === 'assistant') + 1;
  return messages.slice(since).flatMap((message) => message.results);
}

/** How often the model has spoken. Assistant messages in a row are one turn. */
export function modelTurns(messages: readonly Message[]): number {
  let turns = 0;
  messages.forEach((message, index) => {
    if (message.role === 'assistant' && messages[index - 1]?.role !== 'assistant') turns++;
  });
  return turns;
}

/**
 * Whether the model has been told something since it first spoke: a message that is not its own, or the result of a
 * tool, contains `marker`. The first request of the user does not count.
 */
export function saw({ messages }: Pick<TurnRequest, 'messages'>, marker: string | RegExp): boolean {
  const first = messages.findIndex((message) => message.role === 'assistant');
  if (first < 0) return false;
  const contains = (text: string) => (typeof marker === 'string' ? text.includes(marker) : text.search(marker) >= 0);
  return messages
    .slice(first)
    .some(
      (message) =>
        message.role !== 'assistant' && (contains(message.text) || message.results.some(({ text }) => contains(text))),
    );
}
