import type { Display, LoopReport } from '@loopfuse/agent';
import type { Card, GuardNotice } from '@loopfuse/conversation';

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

export type { Card };

/** What may still change; the order is that of the screen. */
export type Block = Extract<Item, { type: 'says' | 'thinks' | 'tool' }>;

export function note(text: string, tone: Tone = 'plain'): Item {
  return { type: 'note', tone, text };
}
