import type { ApprovalRequest, JudgeSpending, ToolCall, Usage } from '@loopfuse/agent';
import type { Price } from '@loopfuse/prices';
import type { Paid } from './cost.js';
import type { GuardState } from './guard-state.js';
import type { Item, ItemOf } from './item.js';
import { isOpenLoop, type Scroll } from './scroll.js';

/**
 * What a person sees of a conversation, as data. `reduce` makes the next one of what happens and leaves this one as it
 * is; `fromHistory` makes one of a stored session. A face draws it and adds only what is its own: keys, dialogs, layout.
 */
export interface Conversation extends Scroll {
  readonly phase: Phase;
  /** Calls that wait for approval, the oldest first. */
  readonly approvals: readonly Approval[];
  /** The latest call of each tool in this request, the latest one last. */
  readonly calls: readonly ToolCall[];
  /** What the person has sent, for recalling it. */
  readonly sent: readonly string[];
  readonly guard: GuardState;
  /** Of the session. */
  readonly usage: Usage;
  /** What the model was sent last and answered, in tokens, or what is left of that since; 0 where that is not known. */
  readonly contextTokens: number;
  /** What the judge has used. */
  readonly judge?: JudgeSpending | undefined;
  /** What the model costs; absent where that is not known. */
  readonly price?: Price | undefined;
  /** What was used before this price was that of the model. */
  readonly paid?: Paid | undefined;
}

export type Phase = 'idle' | 'working' | 'stopping';

export interface Approval {
  readonly id: number;
  readonly request: ApprovalRequest;
}

/** What the face knows of a conversation apart from its events. */
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

/** What goes on, or whom it waits for. */
export function statusOf(conversation: Conversation): Status {
  if (conversation.approvals.length > 0) return 'waiting-for-approval';
  if (conversation.phase === 'idle' && openLoop(conversation)?.state === 'asked') return 'waiting-for-choice';
  return conversation.phase;
}

/** The loop that waits for a choice, or whose choice is on its way. */
export function openLoop({ live }: Scroll): ItemOf<'loop'> | undefined {
  return live.findLast(isOpenLoop);
}

/** Everything that was said and done, in order. */
export function entries({ items, live }: Scroll): readonly Item[] {
  return live.length === 0 ? items : [...items, ...live];
}
