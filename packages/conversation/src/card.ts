import type { Display, ResultStatus, ToolCall } from '@loopfuse/agent';

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
