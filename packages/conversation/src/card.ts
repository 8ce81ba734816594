import type { Display, ResultStatus, ToolCall } from '@loopfuse/agent';

/** A call of a tool, from its request to its result. */
export interface Card {
  /** The number of the call in the conversation, from 1, by which users refer to it. */
  readonly number: number;
  readonly call: ToolCall;
  readonly title: string;
  readonly status: ResultStatus | 'pending';
  /** The end of what the tool has written so far. */
  readonly streamed: string;
  /** How many lines before that are not kept. */
  readonly linesBefore?: number;
  /** The result, once it is there. */
  readonly output: string;
  readonly display?: Display;
  /** What the user wants instead, in their words, where the call was refused. */
  readonly instead?: string;
  /** How long the call ran, where that was a second or more. */
  readonly milliseconds?: number;
}

/** How long a call ran, shown after its title. Empty where that was less than a second. */
export function tookInWords({ milliseconds = 0 }: Pick<Card, 'milliseconds'>): string {
  if (milliseconds < 1000) return '';
  if (milliseconds < 10_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
