import type { Act, Circuit, Finding } from 'loopfuse';

/** What the audience sees, in order. Words and colours come later (see `draw.ts`). */
export type Scene =
  | { readonly type: 'opens'; readonly title: string }
  | { readonly type: 'asks'; readonly text: string } // the user
  | { readonly type: 'says'; readonly text: string } // the agent
  | { readonly type: 'acts'; readonly tool: string; readonly about: string; readonly result: Result }
  | {
      readonly type: 'trips';
      readonly finding: Finding;
      readonly decision: Act;
      readonly from: Circuit['state'];
      readonly to: Circuit['state'];
      /** The audience has seen one before. */
      readonly brief?: boolean;
    }
  | { readonly type: 'ends'; readonly played: Spent; readonly left: Spent } // of a recording
  | { readonly type: 'saves'; readonly guarded: Used; readonly alone: Used }; // the same agent with the guard and without

export type Result = { readonly status: 'ok' | 'failed'; readonly output: string } | { readonly status: 'refused' }; // by the guard, before it ran

/** What a stretch of a recording used. */
export interface Spent {
  events: number;
  calls: number;
  /** Calls that are the very same as the one at which the guard stopped the agent. */
  same: number;
  tokens: number;
  cost: number;
  milliseconds: number;
}

/** What an agent that really ran has used. */
export interface Used {
  readonly calls: number;
  readonly tokens: number;
}

/** The most important line of a text. */
export function gist(text: string): string {
  return text.split('\n').find((line) => /error|expected|not found/i.test(line)) ?? inLines(text.trim());
}

function inLines(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? text : `${lines} lines`;
}
