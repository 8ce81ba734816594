import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol, RequestView, ToolResult } from '@loopfuse/wire';

export {
  type Call,
  type JsonSchema,
  type Message,
  type OfferedTool,
  type Protocol,
  protocols,
  type ToolResult,
} from '@loopfuse/wire';

/** One request to the model in a form that is the same for every protocol: the input of a script. */
export interface TurnRequest extends RequestView {
  readonly protocol: Protocol;
  /** The results since the last answer of the model. */
  readonly results: readonly ToolResult[];
  /** The number of the model's turns in the history of the request. */
  readonly turn: number;
  /** The number of earlier requests of this conversation, including retries. */
  readonly asked: number;
  /** The id of the conversation. */
  readonly conversation: string;
  readonly headers: IncomingHttpHeaders;
  /** The unchanged body. */
  readonly body: unknown;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/**
 * Whether the model got a message since its first answer: a message that is not its own, or the result of a
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
