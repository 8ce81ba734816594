import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Json } from 'loopfuse';
import type { TurnRequest } from './turn.js';

/** What the model does, turn by turn; the same script works over every protocol. */
export type Script = (turn: TurnRequest) => Reply | Promise<Reply>;

/** What the model says in one turn, and how it is sent. */
export interface Reply {
  readonly parts?: readonly Part[];
  /** Why the turn ends: by default `calls` where there are any, else `stop`. */
  readonly finish?: Finish;
  /** The default is one token for every four characters. */
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
  /** Part of the input. */
  readonly cachedTokens?: number;
  /** Part of the input, for Anthropic's protocol, which reports what was written to the cache. */
  readonly cacheWriteTokens?: number;
  /** Part of the output. */
  readonly reasoningTokens?: number;
}

export interface Pace {
  /**
   * How text, reasoning and arguments are cut: into words like tokens, not at all, or into pieces of this many
   * characters.
   */
  readonly cut?: 'tokens' | 'whole' | number;
  /** Milliseconds before each chunk. */
  readonly delay?: number;
  /** The most bytes in one write to the socket, so that a chunk arrives in pieces. */
  readonly bytes?: number;
}

/** The fault of a reply. `after` is the number of chunks that are sent correctly before it. */
export type ReplyFault =
  | {
      readonly type: 'refuse';
      readonly status: number;
      readonly message?: string;
      /** Replaces the error body that the provider would send. */
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

/** What is wrong with the reply of a script; `undefined` if it is valid. */
export function replyProblem(reply: unknown): string | undefined {
  if (!isRecord(reply)) return `a reply must be an object such as { parts: [{ text: "…" }] }, got ${shown(reply)}`;
  const { parts = [], finish, usage = {}, pace = {}, fault } = reply;
  if (!Array.isArray(parts)) return `parts must be a list, got ${shown(parts)}`;
  if (finish !== undefined && !finishes.includes(finish as Finish))
    return `finish must be ${listed(finishes)}, got ${shown(finish)}`;
  return firstOf(parts, partProblem) ?? usageProblem(usage) ?? paceProblem(pace) ?? faultProblem(fault);
}

const finishes: readonly Finish[] = ['stop', 'calls', 'length', 'refused'];
const faultTypes: readonly ReplyFault['type'][] = ['refuse', 'stall', 'cut', 'garble', 'breakdown'];

function partProblem(part: unknown): string | undefined {
  const { text, reasoning, call } = isRecord(part) ? part : {};
  if (typeof text === 'string' || typeof reasoning === 'string') return undefined;
  if (!isRecord(call) || typeof call.tool !== 'string')
    return `a part must have a text, a reasoning or a call, got ${shown(part)}`;
  if (jsonOf(call.input) === undefined)
    return `the input of a call of ${shown(call.tool)} must be JSON, for example {}, got ${shown(call.input)}`;
  if (call.id !== undefined && typeof call.id !== 'string')
    return `the id of a call must be a string, got ${shown(call.id)}`;
  return undefined;
}

function usageProblem(usage: unknown): string | undefined {
  if (!isRecord(usage)) return `usage must be an object, got ${shown(usage)}`;
  return firstOf(Object.entries(usage), ([name, count]) =>
    count === undefined || isCount(count) ? undefined : `usage.${name} must be a number of tokens, got ${shown(count)}`,
  );
}

function paceProblem(pace: unknown): string | undefined {
  if (!isRecord(pace)) return `pace must be an object, got ${shown(pace)}`;
  const { cut = 'tokens', delay = 0, bytes = 1 } = pace;
  if (cut !== 'tokens' && cut !== 'whole' && !(isCount(cut) && cut >= 1))
    return `pace.cut must be "tokens", "whole" or an integer of at least 1, got ${shown(cut)}`;
  if (!(typeof delay === 'number' && delay >= 0)) return `pace.delay must be milliseconds, got ${shown(delay)}`;
  if (!(isCount(bytes) && bytes >= 1)) return `pace.bytes must be an integer of at least 1, got ${shown(bytes)}`;
  return undefined;
}

function faultProblem(fault: unknown): string | undefined {
  if (fault === undefined) return undefined;
  const { type, after = 0, status } = isRecord(fault) ? fault : {};
  if (!faultTypes.includes(type as ReplyFault['type']))
    return `fault.type must be ${listed(faultTypes)}, got ${shown(fault)}`;
  if (!isCount(after)) return `fault.after must be a number of chunks, got ${shown(after)}`;
  if (type !== 'refuse') return undefined;
  if (!isCount(status) || status < 400 || status > 599)
    return `fault.status must be an HTTP status from 400 to 599, got ${shown(status)}`;
  const { body, headers = {} } = fault as Record<string, unknown>;
  if (body !== undefined && jsonOf(body) === undefined)
    return `fault.body must be a string or JSON, got ${shown(body)}`;
  return headersProblem(headers);
}

function headersProblem(headers: unknown): string | undefined {
  if (!isRecord(headers)) return `fault.headers must be an object, got ${shown(headers)}`;
  return firstOf(Object.entries(headers), ([name, value]) => {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value as string);
      return undefined;
    } catch {
      return `fault.headers: ${shown({ [name]: value })} is not a valid header`;
    }
  });
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Undefined for values without JSON: undefined, a function, a cycle, a BigInt. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (jsonOf(value) ?? String(value));
}

function listed(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}
