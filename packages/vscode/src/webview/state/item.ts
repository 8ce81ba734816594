import type { ToolCall } from '@loopfuse/agent';
import type { Blocks, Card, GuardNotice } from '@loopfuse/conversation';
import type { Choice } from 'loopfuse';
import type { HaltedLoop, Tone } from '../../protocol/index.js';

/** Something that was said or done. `key` tells it from all others and stays when it changes. */
export type Item = { readonly key: number } & NewItem;

export type NewItem =
  | { readonly type: 'you'; readonly text: string }
  /** `open` as long as more may come. */
  | { readonly type: 'says' | 'thinks'; readonly text: Blocks; readonly open: boolean }
  | ({ readonly type: 'tool' } & Card)
  | ({ readonly type: 'guard' } & GuardNotice)
  | ({ readonly type: 'loop' } & HaltCard)
  | { readonly type: 'note'; readonly tone: Tone; readonly text: string; readonly remedy?: Remedy };

/** What a button below a note does about it. */
export type Remedy = 'set-key' | 'show-log';

export type { Card };

/** A loop that halted the request, and the question what to do about it. */
export interface HaltCard {
  readonly report: HaltedLoop;
  /** The latest call of each tool that takes part. */
  readonly calls: readonly ToolCall[];
  /** `asked`: waits for the person. `sent`: the host has been told. `answered`: it is settled. */
  readonly state: 'asked' | 'sent' | 'answered';
  readonly choice?: Choice | (string & {});
  readonly hint?: string;
}

export type ItemOf<Type extends Item['type']> = Extract<Item, { type: Type }>;
