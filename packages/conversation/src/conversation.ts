import type { ApprovalRequest, JudgeSpending, ToolCall, Usage } from '@loopfuse/agent';
import type { Price } from '@loopfuse/prices';
import type { Paid } from './cost.js';
import type { GuardState } from './guard-state.js';
import type { Item, ItemOf } from './item.js';
import { isOpenLoop, type Scroll } from './scroll.js';

/**
 * What the user sees of a conversation, as data. `reduce` returns the conversation after an event and does not change this
 * one; `fromHistory` makes one from a stored session. A user interface draws it and adds only keys, dialogs and layout.
 */
export interface Conversation extends Scroll {
  readonly phase: Phase;
  /** Calls that wait for approval, the oldest first. */
  readonly approvals: readonly Approval[];
  /** The latest call of each tool in this request, the latest one last. */
  readonly calls: readonly ToolCall[];
  /** The messages that the user has sent, for recalling them. */
  readonly sent: readonly string[];
  readonly guard: GuardState;
  /** Of the session. */
  readonly usage: Usage;
  /** The tokens of the last request and its answer, or of the history after compression; 0 where that is not known. */
  readonly contextTokens: number;
  /** What the judge has used. */
  readonly judge?: JudgeSpending | undefined;
  /** The price of the model; absent where it is not known. */
  readonly price?: Price | undefined;
  /** What was used at earlier prices. */
  readonly paid?: Paid | undefined;
}

export type Phase = 'idle' | 'working' | 'stopping';

export interface Approval {
  readonly id: number;
  readonly request: ApprovalRequest;
}

/** What the user interface knows of a conversation apart from its events. */
export type Known = Partial<Pick<Conversation, 'guard' | 'usage' | 'judge' | 'price'>>;

export function startConversation(known: Known = {}): Conversation {
  return {
    items: [],
    live: [],
    phase: 'idle',
    approvals: [],
    calls: [],
    sent: [],
    guard: 'watching',
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
    contextTokens: 0,
    ...known,
  };
}

export type Status = Phase | 'waiting-for-approval' | 'waiting-for-choice';

/** What is happening, or what the conversation waits for. */
export function statusOf(conversation: Conversation): Status {
  if (conversation.approvals.length > 0) return 'waiting-for-approval';
  if (conversation.phase === 'idle' && openLoop(conversation)?.state === 'asked') return 'waiting-for-choice';
  return conversation.phase;
}

/** The loop that waits for a choice, or whose choice was sent and is not confirmed yet. */
export function openLoop({ live }: Scroll): ItemOf<'loop'> | undefined {
  return live.findLast(isOpenLoop);
}

/** Everything that was said and done, in order. */
export function entries({ items, live }: Scroll): readonly Item[] {
  return live.length === 0 ? items : [...items, ...live];
}
