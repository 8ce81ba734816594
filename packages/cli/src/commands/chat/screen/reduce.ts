import type { ApprovalRequest, ClientEvent, SessionSummary } from '@loopfuse/agent';
import { type Conversation, type Known, note, openLoop, type Row, type Tone } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import { startEditor } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';
import { openLoopDialog } from './loop-dialog.js';
import { onKey, onSettled } from './on-key.js';
import type { OutputDialog } from './output-dialog.js';
import { type ChatState, type Facts, happens } from './state.js';

/** Everything that can happen to a chat. */
export type Input =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'event'; readonly event: ClientEvent }
  | { readonly type: 'started' } // work has begun
  | { readonly type: 'settled' } // all work has ended
  | { readonly type: 'leaving' } // queued messages are dropped
  | { readonly type: 'approval'; readonly id: number; readonly request: ApprovalRequest }
  | { readonly type: 'approval-gone'; readonly id: number } // the answer is no longer needed
  | { readonly type: 'note'; readonly text: string; readonly tone: Tone }
  | { readonly type: 'list'; readonly rows: readonly Row[] }
  | { readonly type: 'facts'; readonly facts?: Partial<Facts>; readonly known?: Known }
  | { readonly type: 'output'; readonly dialog: OutputDialog }
  | { readonly type: 'sessions'; readonly sessions: readonly SessionSummary[] }
  /** An earlier conversation is continued; `since` is its date. */
  | {
      readonly type: 'resumed';
      readonly conversation: Conversation;
      readonly facts: Partial<Facts>;
      readonly since: string;
    };

/** The state after an input. Pure: side effects are requested in `actions`. */
export function reduce(before: ChatState, input: Input): ChatState {
  const state = before.actions.length === 0 ? before : { ...before, actions: [] };
  switch (input.type) {
    case 'key':
      return onKey(state, input.key);
    case 'event':
      return withLoopDialog(happens(state, input.event), input.event.type === 'loop-detected');
    case 'started':
      return happens(state, { type: 'busy' });
    case 'settled':
      return onSettled(state);
    case 'leaving':
      return { ...state, queued: [] };
    case 'approval': {
      const { id, request } = input;
      return { ...happens(state, input), dialog: { type: 'approval', id, request, chosen: 0 } };
    }
    case 'approval-gone': {
      const isShown = state.dialog?.type === 'approval' && state.dialog.id === input.id;
      return { ...happens(state, input), dialog: isShown ? undefined : state.dialog };
    }
    case 'note':
    case 'list':
      return happens(state, input);
    case 'facts':
      return {
        ...happens(state, { type: 'known', known: input.known ?? {} }),
        facts: { ...state.facts, ...input.facts },
      };
    case 'output':
      return state.dialog === undefined || state.dialog.type === 'output' ? { ...state, dialog: input.dialog } : state;
    case 'sessions':
      if (input.sessions.length === 0)
        return happens(state, { type: 'note', tone: 'plain', text: 'There are no earlier sessions in this folder.' });
      return { ...state, dialog: { type: 'sessions', sessions: input.sessions, chosen: 0 } };
    case 'resumed':
      return withLoopDialog(resumed(state, input), true);
  }
}

/** A loop that halted the request opens a dialog. */
function withLoopDialog(state: ChatState, isNew: boolean): ChatState {
  const loop = isNew ? openLoop(state.conversation) : undefined;
  return loop === undefined ? state : { ...state, dialog: openLoopDialog(loop.report, loop) };
}

/** The items of an earlier conversation that are shown. */
const most = 24;

/** Adds the end of an earlier conversation below the items on the screen. */
function resumed(state: ChatState, { conversation, facts, since }: Extract<Input, { type: 'resumed' }>): ChatState {
  const { items } = conversation;
  const left = items.length - most;
  const above = [
    note(`Resumed the session of ${since}.`, 'good'),
    ...(left > 0 ? [note(`${counted(left, 'earlier entry', 'earlier entries')} not shown`)] : []),
  ];
  return {
    ...state,
    conversation: { ...conversation, items: [...state.conversation.items, ...above, ...items.slice(-most)] },
    facts: { ...state.facts, ...facts },
    editor: startEditor(conversation.sent),
    dialog: undefined,
  };
}
