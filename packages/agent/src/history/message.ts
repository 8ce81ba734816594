import type { Json } from 'loopfuse';
import type { RemarkEvent } from '../client/client-event.js';
import type { Display } from '../tools/tool.js';
import type { Usage } from '../turn/draft.js';
import { type Attachment, requestInWords } from './attachment.js';

/** One message of a conversation, independent of the provider. Plain JSON, as stored in session files. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

interface Remarked {
  /** What users were shown during or after this message. Models do not see it. */
  readonly remarks?: readonly Remark[];
}

/** An event that is not part of the text: what the guard did, what the user chose, how a request ended. */
export interface Remark {
  readonly event: RemarkEvent;
  /** It happened after this many parts of the answer. Absent when it happened after the whole message. */
  readonly part?: number;
}

export interface UserMessage extends Remarked {
  readonly role: 'user';
  readonly text: string;
  /**
   * Who wrote it: the user; the loop guard; the summary of earlier messages; the agent itself, where a model must be told
   * to continue; or the user interface (`face`), about what the user did outside the conversation. Models see all of them
   * as messages of the user.
   */
  readonly from: 'user' | 'guard' | 'summary' | 'agent' | 'face';
  /** What the user has sent with it. */
  readonly attachments?: readonly Attachment[];
  /** The rounds that this note of the guard replaces. Models do not see them; the user can put them back. */
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
  /** The answer is incomplete: the stream was cut off. */
  readonly interrupted?: true;
  /** When the answer ended, in milliseconds, and its usage, for reading the session later. */
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
  /** Nothing was shown: the guard halted the run at this call. */
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
  /** What users are shown of it, such as a diff. Models see the output. */
  readonly display?: Display;
  /** What the user wants instead of the refused call, in their words, which are also in the output. */
  readonly instead?: string;
  /** How long the call ran, where that was a second or more. */
  readonly milliseconds?: number;
}

/** The title of a call whose tool gives none: the first string in its input. */
export function titleFrom({ input }: Pick<ToolCall, 'input'>): string {
  return Object.values(input).find((value) => typeof value === 'string') ?? '';
}

export type ResultStatus =
  | 'ok'
  | 'failed'
  | 'refused' // declined by the user
  | 'blocked' // the loop guard refused this one call
  | 'cancelled' // it was ended while it ran
  | 'not-run'; // it was never started

export function callsOf(message: Message | undefined): readonly ToolCall[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.filter((part) => part.type === 'tool-call');
}

/** The size of a message in characters, from which its tokens are estimated. */
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
