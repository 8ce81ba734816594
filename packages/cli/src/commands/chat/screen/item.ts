import type { Display, LoopReport, ResultStatus, ToolCall } from '@loopfuse/agent';
import type { GuardNotice } from '@loopfuse/conversation';

/** Something that was said or done and does not change any more. */
export type Item =
  | { readonly type: 'you'; readonly text: string }
  | { readonly type: 'says'; readonly text: string } // markdown
  | { readonly type: 'thinks'; readonly text: string; readonly full: boolean }
  | ({ readonly type: 'tool' } & Card)
  | ({ readonly type: 'guard' } & GuardNotice)
  | ({ readonly type: 'loop' } & Pick<LoopReport, 'title' | 'explanation' | 'waste'>) // halted the request
  | { readonly type: 'display'; readonly display: Display } // all of what is to be approved
  | { readonly type: 'list'; readonly rows: readonly Row[] }
  | { readonly type: 'note'; readonly tone: Tone; readonly text: string };

/** A name and what there is to say about it. */
export type Row = readonly [name: string, text: string];

export type Tone = 'plain' | 'good' | 'warning' | 'bad';

/** A call of a tool, from its request to its result. */
export interface Card {
  readonly call: ToolCall;
  readonly title: string;
  readonly status: ResultStatus | 'pending';
  /** The end of what the tool has written so far. */
  readonly streamed: string;
  /** The result, once it is there. */
  readonly output: string;
  readonly display?: Display;
}

/** What may still change; the order is that of the screen. */
export type Block = Extract<Item, { type: 'says' | 'thinks' | 'tool' }>;

export function note(text: string, tone: Tone = 'plain'): Item {
  return { type: 'note', tone, text };
}
