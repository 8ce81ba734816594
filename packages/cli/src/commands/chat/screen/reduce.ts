import type { ApprovalRequest, ClientEvent, HaltReport, SessionSummary } from '@loopfuse/agent';
import { startEditor } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';
import { type Item, note, type Row, type Tone } from './item.js';
import { add, finish } from './live.js';
import { openLoopDialog } from './loop-dialog.js';
import { onClientEvent, withFacts } from './on-client-event.js';
import { onKey, onSettled } from './on-key.js';
import type { ChatState, Facts } from './state.js';

/** Everything that can happen to a chat. */
export type Input =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'event'; readonly event: ClientEvent }
  | { readonly type: 'started' } // something is going on
  | { readonly type: 'settled' } // nothing is going on any more
  | { readonly type: 'approval'; readonly id: number; readonly request: ApprovalRequest }
  | { readonly type: 'approval-gone'; readonly id: number } // nobody waits for the answer any more
  | { readonly type: 'note'; readonly text: string; readonly tone: Tone }
  | { readonly type: 'list'; readonly rows: readonly Row[] }
  | { readonly type: 'facts'; readonly facts: Partial<Facts> }
  | { readonly type: 'sessions'; readonly sessions: readonly SessionSummary[] }
  | {
      readonly type: 'resumed';
      readonly items: readonly Item[];
      readonly past: readonly string[];
      readonly facts: Partial<Facts>;
      readonly halted?: HaltReport;
    };

/** The state after an input. Pure: what is to be done is left in `deeds`. */
export function reduce(before: ChatState, input: Input): ChatState {
  const state = before.deeds.length === 0 ? before : { ...before, deeds: [] };
  switch (input.type) {
    case 'key':
      return onKey(state, input.key);
    case 'event':
      return onClientEvent(state, input.event);
    case 'started':
      return { ...state, phase: 'working' };
    case 'settled':
      return onSettled({ ...state, ...finish(state) });
    case 'approval':
      return { ...state, dialog: { type: 'approval', id: input.id, request: input.request, chosen: 0 } };
    case 'approval-gone':
      return state.dialog?.type === 'approval' && state.dialog.id === input.id
        ? { ...state, dialog: undefined }
        : state;
    case 'note':
      return { ...state, ...add(state, note(input.text, input.tone)) };
    case 'list':
      return { ...state, ...add(state, input) };
    case 'facts':
      return withFacts(state, input.facts);
    case 'sessions':
      if (input.sessions.length === 0)
        return { ...state, ...add(state, note('There are no earlier sessions in this folder.')) };
      return { ...state, dialog: { type: 'sessions', sessions: input.sessions, chosen: 0 } };
    case 'resumed':
      return {
        ...withFacts({ ...state, ...add(state, ...input.items) }, input.facts),
        editor: startEditor(input.past),
        dialog: input.halted === undefined ? undefined : openLoopDialog(input.halted),
      };
  }
}
