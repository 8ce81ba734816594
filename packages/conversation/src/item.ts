import type { AttachmentName, Display, HaltReport, ToolCall } from '@loopfuse/agent';
import type { Choice } from 'loopfuse';
import type { Blocks } from './blocks.js';
import type { Card } from './card.js';
import type { GuardNotice } from './guard-notice.js';

/** One entry of a conversation as the user sees it. */
export type Item =
  | { readonly type: 'you'; readonly text: string; readonly attached?: readonly AttachmentName[] }
  /** The answer and the thinking of the model, in markdown; `open` as long as more may come. */
  | { readonly type: 'says' | 'thinks'; readonly text: Blocks; readonly open: boolean }
  | ({ readonly type: 'tool' } & Card)
  | ({ readonly type: 'guard' } & GuardNotice)
  | ({ readonly type: 'loop' } & LoopCard)
  | { readonly type: 'note'; readonly tone: Tone; readonly text: string; readonly about?: NoteSubject }
  | { readonly type: 'list'; readonly rows: readonly Row[] }
  /** Something shown in full, such as a long change that needs approval. */
  | { readonly type: 'display'; readonly display: Display };

export type ItemOf<Type extends Item['type']> = Extract<Item, { type: Type }>;

/** A loop that halted the request, and the question what to do about it. */
export interface LoopCard {
  readonly report: HaltReport;
  /** The latest call of each tool in the loop. */
  readonly calls: readonly ToolCall[];
  /** What the loop has cost in dollars, where that is known. */
  readonly cost?: number;
  /** `asked`: waits for the user. `sent`: the choice was sent. `answered`: the choice was applied. */
  readonly state: 'asked' | 'sent' | 'answered';
  readonly choice?: Choice;
  readonly hint?: string;
}

export const tones = ['plain', 'good', 'warning', 'bad'] as const;
export type Tone = (typeof tones)[number];

/** What a note is about, for a user interface that can offer help: a rejected key, a failed request, a fault of ours. */
export type NoteSubject = 'key' | 'request' | 'fault';

/** A name and a text. */
export type Row = readonly [name: string, text: string];

export function note(text: string, tone: Tone = 'plain', about?: NoteSubject): ItemOf<'note'> {
  return { type: 'note', tone, text, ...(about === undefined ? {} : { about }) };
}

/** The name of an attachment for users: `src/total.ts`, `src/total.ts:3`, `src/total.ts:3-9`. */
export function attachmentInWords({ path, lines }: AttachmentName): string {
  if (lines === undefined) return path;
  const [first, last] = lines;
  return first === last ? `${path}:${first}` : `${path}:${first}-${last}`;
}

/** The text of a note. */
export function noteInWords({ text, about }: ItemOf<'note'>): string {
  return about === 'fault' ? `Not shown: ${text}` : text;
}
