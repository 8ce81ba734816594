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

/** One request to the model as every protocol means it, which is all that a script needs to know. */
export interface TurnRequest extends RequestView {
  readonly protocol: Protocol;
  /** The results that came since the last answer of the model. */
  readonly results: readonly ToolResult[];
  /** How many turns the model has had in the history that was sent. */
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
