import type { ApprovalMode, ApprovalReply, ClientEvent, SessionSummary } from '@loopfuse/agent';
import {
  type Conversation,
  type FaceEvent,
  type Item,
  type Known,
  reduce,
  startConversation,
} from '@loopfuse/conversation';
import { type Editor, startEditor } from '../../../terminal/editor/editor.js';
import type { ApprovalDialog } from './approval-dialog.js';
import type { LoopAnswer, LoopDialog } from './loop-dialog.js';
import type { OutputDialog } from './output-dialog.js';
import type { SessionDialog } from './session-dialog.js';

/** Everything that is on the screen, and everything needed to know what a key means. A value: inputs give a new one. */
export interface ChatState {
  readonly conversation: Conversation;
  readonly dialog: Dialog | undefined;
  readonly editor: Editor;
  /** The selected command in the menu of commands, while it is open. */
  readonly menu: number | undefined;
  /** Messages and commands that were sent while the agent was working, in order. */
  readonly queued: readonly string[];
  readonly facts: Facts;
  /** Ctrl-C was pressed: once more quits. */
  readonly quitting: boolean;
  /** Whether thinking is shown in full. */
  readonly full: boolean;
  /** The side effects that the last input requests. Replaced by every input. */
  readonly actions: readonly Action[];
}

export type Dialog = ApprovalDialog | LoopDialog | OutputDialog | SessionDialog;

/** What the status line shows beside the conversation. */
export interface Facts {
  readonly model: string;
  readonly approval: ApprovalMode;
  /** How many tokens the model can take. */
  readonly contextLimit?: number;
}

/** A side effect that a state requests. */
export type Action =
  | { readonly type: 'send'; readonly text: string }
  | ({ readonly type: 'answer-loop' } & LoopAnswer)
  | { readonly type: 'answer-approval'; readonly id: number; readonly answer: ApprovalReply }
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
  /** Without a number, that of the latest call with output. */
  | { readonly type: 'show-output'; readonly number?: number }
  | { readonly type: 'resume'; readonly session: SessionSummary }
  | { readonly type: 'quit' };

export function startState(facts: Facts, known: Known = {}, items: readonly Item[] = []): ChatState {
  return {
    conversation: { ...startConversation(known), items },
    dialog: undefined,
    editor: startEditor([]),
    menu: undefined,
    queued: [],
    facts,
    quitting: false,
    full: false,
    actions: [],
  };
}

/** The state after events of the conversation. */
export function happens(state: ChatState, ...events: readonly (ClientEvent | FaceEvent)[]): ChatState {
  return { ...state, conversation: events.reduce(reduce, state.conversation) };
}
