import type { Json } from 'loopfuse';
import type { Usage } from '../turn/draft.js';

/** One message of a conversation, as every provider means it: plain JSON, and what session files hold. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  /**
   * Who speaks: the person; the loop guard; the summary of what was said before; or the agent itself, where a model
   * must be told to go on. Models see all of them as the user's.
   */
  readonly from: 'user' | 'guard' | 'summary' | 'agent';
  /** The rounds that this note of the guard stands for. Models do not see them; a person can put them back. */
  readonly takenOut?: TakenOut;
}

export interface TakenOut {
  /** Unique in the conversation. */
  readonly id: string;
  readonly messages: readonly Message[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
  /** The model did not get to its end: the stream was broken off. */
  readonly interrupted?: true;
  /** When the answer ended, in milliseconds, and what it took: for whoever reads the session later. */
  readonly at?: number;
  readonly usage?: Usage;
  /** Index of its first event in what the guard has seen. */
  readonly seq?: number;
  /** The model that wrote it, where that was not the one in use. */
  readonly model?: string;
}

export type AssistantPart = { readonly metadata?: ProviderMetadata } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | ({ readonly type: 'tool-call' } & ToolCall)
);

export interface ToolCall {
  /** Unique in the conversation. */
  readonly id: string;
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
}

/** What a provider wants back with a part, by the provider's name: signatures, ids. */
export type ProviderMetadata = { readonly [provider: string]: { readonly [key: string]: Json } };

/** The results of the calls of the assistant message before it: one for each, in the same order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly output: string;
  readonly status: ResultStatus;
}

export type ResultStatus =
  | 'ok'
  | 'failed'
  | 'refused' // a person said no
  | 'blocked' // the loop guard refused this one call
  | 'cancelled' // it ran and was broken off
  | 'not-run'; // it was dropped before it began

export function callsOf(message: Message | undefined): readonly ToolCall[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.filter((part) => part.type === 'tool-call');
}

/** The characters that a message weighs, which is what its tokens are estimated from. */
export function sizeOf(message: Message): number {
  switch (message.role) {
    case 'user':
      return message.text.length;
    case 'assistant':
      return message.parts.reduce(
        (sum, part) => sum + (part.type === 'tool-call' ? JSON.stringify(part.input).length + 32 : part.text.length),
        0,
      );
    case 'tool':
      return message.results.reduce((sum, result) => sum + result.output.length + 32, 0);
  }
}
