import type { Json } from 'loopfuse';
import type { RemarkEvent } from '../client/client-event.js';
import type { Display } from '../tools/tool.js';
import type { Usage } from '../turn/draft.js';
import { type Attachment, requestInWords } from './attachment.js';

/** One message of a conversation, as every provider means it: plain JSON, and what session files hold. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

interface Remarked {
  /** What a person was shown after this message, or in the course of it, and models are not. */
  readonly remarks?: readonly Remark[];
}

/** Something that happened beside the words: what the guard did, what the person chose, how a request ended. */
export interface Remark {
  readonly event: RemarkEvent;
  /** It happened after so many parts of the answer; absent when all of the message was there. */
  readonly part?: number;
}

export interface UserMessage extends Remarked {
  readonly role: 'user';
  readonly text: string;
  /**
   * Who speaks: the person; the loop guard; the summary of what was said before; the agent itself, where a model must be
   * told to go on; or a face, about what the person did beside the conversation. Models see all of them as the user's.
   */
  readonly from: 'user' | 'guard' | 'summary' | 'agent' | 'face';
  /** What the person has sent with it. */
  readonly attachments?: readonly Attachment[];
  /** The rounds that this note of the guard stands for. Models do not see them; a person can put them back. */
  readonly takenOut?: TakenOut;
}

export interface TakenOut {
  /** Unique in the conversation. */
  readonly id: string;
  readonly messages: readonly Message[];
}

export interface AssistantMessage extends Remarked {
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
  | ({ readonly type: 'tool-call' } & ToolCall & CallShown)
);

/** What people were shown of a call. */
export interface CallShown {
  /** What it is about; absent where `titleFrom` gives the same. */
  readonly title?: string;
  /** Nothing: the guard halted the run at this call. */
  readonly unseen?: true;
}

export interface ToolCall {
  /** Unique in the conversation. */
  readonly id: string;
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
}

/** What a provider wants back with a part, by the provider's name: signatures, ids. */
export type ProviderMetadata = { readonly [provider: string]: { readonly [key: string]: Json } };

/** The results of the calls of the assistant message before it: one for each, in the same order. */
export interface ToolMessage extends Remarked {
  readonly role: 'tool';
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly output: string;
  readonly status: ResultStatus;
  /** What people are shown of it, such as a diff. Models see the output. */
  readonly display?: Display;
  /** What the person wants instead of the call, in their words, where it was refused. The output has them, too. */
  readonly instead?: string;
  /** How long the call ran, where that was a second or more. */
  readonly milliseconds?: number;
}

/** What a call is about when its tool says nothing better: the first text in its input. */
export function titleFrom({ input }: Pick<ToolCall, 'input'>): string {
  return Object.values(input).find((value) => typeof value === 'string') ?? '';
}

export type ResultStatus =
  | 'ok'
  | 'failed'
  | 'refused' // declined by the user
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
      return requestInWords(message).length;
    case 'assistant':
      return message.parts.reduce(
        (sum, part) => sum + (part.type === 'tool-call' ? JSON.stringify(part.input).length + 32 : part.text.length),
        0,
      );
    case 'tool':
      return message.results.reduce((sum, result) => sum + result.output.length + 32, 0);
  }
}
