import type { Json } from 'loopfuse';
import type { TurnRequest } from './turn.js';

/** What the model does, turn by turn: the same script plays over every protocol. */
export type Script = (turn: TurnRequest) => Reply | Promise<Reply>;

/** What the model says in one turn, and how it is sent. */
export interface Reply {
  readonly parts?: readonly Part[];
  /** Why the turn ends: by default `calls` where there are any, else `stop`. */
  readonly finish?: Finish;
  /** By default a token for every four characters. */
  readonly usage?: Usage;
  readonly pace?: Pace;
  readonly fault?: ReplyFault;
}

export type Part =
  | { readonly reasoning: string }
  | { readonly text: string }
  | { readonly call: { readonly tool: string; readonly input: Json; readonly id?: string } };

export type Finish = 'stop' | 'calls' | 'length' | 'refused';

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of the input. */
  readonly cachedTokens?: number;
  /** Of the input, too, for Anthropic's protocol, which tells what was put into the cache. */
  readonly cacheWriteTokens?: number;
  /** Of the output. */
  readonly reasoningTokens?: number;
}

export interface Pace {
  /** How text, reasoning and arguments are cut: into words like tokens, not at all, or every so many characters. */
  readonly cut?: 'tokens' | 'whole' | number;
  /** Milliseconds before each chunk. */
  readonly delay?: number;
  /** At most so many bytes in one write to the socket, so that a chunk arrives in shreds. */
  readonly bytes?: number;
}

/** How a reply goes wrong. `after` counts the chunks that are sent whole before it does. */
export type ReplyFault =
  | {
      readonly type: 'refuse';
      readonly status: number;
      readonly message?: string;
      /** In place of the error body that the provider would send. */
      readonly body?: string | Json;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'stall'; readonly after?: number } // silence until the client gives up
  | { readonly type: 'cut'; readonly after?: number } // the connection is dropped
  | { readonly type: 'garble'; readonly after?: number } // one chunk is half its JSON; the rest follows
  | { readonly type: 'breakdown'; readonly after?: number; readonly message?: string }; // the provider's error event, then the end

export function say(text: string): Reply {
  return { parts: [{ text }] };
}

/** What is wrong with a reply, in words; `undefined` when nothing is. */
export function replyProblem({ parts = [], pace = {}, fault }: Reply): string | undefined {
  for (const part of parts) {
    if ('call' in part ? typeof part.call?.tool !== 'string' : typeof textOfPart(part) !== 'string')
      return `a part must be a text, a reasoning or a call, got ${JSON.stringify(part)}`;
  }
  const { cut = 'tokens', delay = 0, bytes = 1 } = pace;
  if (cut !== 'tokens' && cut !== 'whole' && !(Number.isInteger(cut) && cut >= 1))
    return `pace.cut must be "tokens", "whole" or an integer of at least 1, got ${JSON.stringify(cut)}`;
  if (!(delay >= 0)) return `pace.delay must be milliseconds, got ${String(delay)}`;
  if (!(Number.isInteger(bytes) && bytes >= 1))
    return `pace.bytes must be an integer of at least 1, got ${String(bytes)}`;
  if (fault?.type === 'refuse' && !(Number.isInteger(fault.status) && fault.status >= 400 && fault.status <= 599))
    return `fault.status must be an HTTP status from 400 to 599, got ${String(fault.status)}`;
  return undefined;
}

function textOfPart(part: Exclude<Part, { call: unknown }>): unknown {
  return 'text' in part ? part.text : part.reasoning;
}
