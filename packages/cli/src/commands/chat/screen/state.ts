import type { ApprovalAnswer, ApprovalMode, JudgeSpending, SessionSummary, ToolCall, Usage } from '@loopfuse/agent';
import type { GuardState } from '@loopfuse/conversation';
import type { Price } from '@loopfuse/prices';
import { type Editor, startEditor } from '../../../terminal/editor/editor.js';
import type { ApprovalDialog } from './approval-dialog.js';
import type { Item } from './item.js';
import type { Scroll } from './live.js';
import type { LoopAnswer, LoopDialog } from './loop-dialog.js';
import type { SessionDialog } from './session-dialog.js';

/** Everything that is on the screen, and everything needed to know what a key means. A value: inputs give a new one. */
export interface ChatState extends Scroll {
  readonly phase: Phase;
  readonly dialog: Dialog | undefined;
  readonly editor: Editor;
  /** What was sent while something else was going on: it is next. */
  readonly queued: string;
  readonly facts: Facts;
  /** The latest call of each tool in this request, the latest one last. */
  readonly calls: readonly ToolCall[];
  /** Ctrl-C was pressed: once more quits. */
  readonly quitting: boolean;
  /** Whether thinking is shown in full. */
  readonly full: boolean;
  /** What the last input asks to be done in the world. Replaced by every input. */
  readonly deeds: readonly Deed[];
}

export type Phase = 'idle' | 'working' | 'cancelling';
export type Dialog = ApprovalDialog | LoopDialog | SessionDialog;

/** What the line at the bottom tells. */
export interface Facts {
  readonly model: string;
  readonly price: Price | undefined;
  readonly approval: ApprovalMode;
  readonly guard: GuardState;
  readonly usage: Usage;
  readonly judge?: JudgeSpending;
}

export type { GuardState };

/** What a state asks for and cannot do by itself. */
export type Deed =
  | { readonly type: 'send'; readonly text: string }
  | ({ readonly type: 'answer-loop' } & LoopAnswer)
  | { readonly type: 'answer-approval'; readonly id: number; readonly answer: ApprovalAnswer }
  | { readonly type: 'cancel' }
  | { readonly type: 'compress' }
  | { readonly type: 'restore' }
  | { readonly type: 'describe-loop' }
  | { readonly type: 'disable' }
  | { readonly type: 'enable' }
  | { readonly type: 'exempt'; readonly tool: string }
  | { readonly type: 'describe-model' }
  | { readonly type: 'choose-model'; readonly words: string }
  | { readonly type: 'set-approval'; readonly mode: ApprovalMode }
  | { readonly type: 'list-sessions' }
  | { readonly type: 'resume'; readonly session: SessionSummary }
  | { readonly type: 'quit' };

export function startState(facts: Facts, items: readonly Item[] = [], past: readonly string[] = []): ChatState {
  return {
    items,
    live: [],
    phase: 'idle',
    dialog: undefined,
    editor: startEditor(past),
    queued: '',
    facts,
    calls: [],
    quitting: false,
    full: false,
    deeds: [],
  };
}
