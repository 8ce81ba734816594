import type { HaltReport } from '@loopfuse/agent';
import { consequence } from '@loopfuse/conversation';
import { edit, sent, withText } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';
import { type ApprovalDialog, pressInApproval } from './approval-dialog.js';
import { completed, runSlashCommand } from './commands.js';
import { type Item, note } from './item.js';
import { add } from './live.js';
import { type LoopAnswer, type LoopDialog, pressInLoopDialog } from './loop-dialog.js';
import { withFacts } from './on-client-event.js';
import { pressInSessions, type SessionDialog } from './session-dialog.js';
import type { ChatState } from './state.js';

/** What a key does, wherever the chat stands. */
export function onKey(before: ChatState, key: Key): ChatState {
  if (key.type === 'interrupt') return interrupted(before);
  const state = before.quitting ? { ...before, quitting: false } : before;
  if (key.type === 'details') return detailed(state);
  switch (state.dialog?.type) {
    case 'loop':
      return inLoopDialog(state, state.dialog, key);
    case 'approval':
      return inApproval(state, state.dialog, key);
    case 'sessions':
      return inSessions(state, state.dialog, key);
    case undefined:
      return inEditor(state, key);
  }
}

/** Ctrl-O: all of what is to be approved, or thinking in full from now on. */
function detailed(state: ChatState): ChatState {
  const { dialog } = state;
  if (dialog?.type !== 'approval') return { ...state, full: !state.full };
  // The call itself is still open, so what is above it must not be closed.
  return { ...state, items: [...state.items, { type: 'display', display: dialog.request.display }] };
}

/** Ctrl-C: first whatever is going on or being typed, then the chat itself. */
function interrupted(state: ChatState): ChatState {
  if (state.quitting) return { ...state, deeds: [{ type: 'quit' }] };
  const quitting = { ...state, quitting: true };
  if (state.dialog !== undefined) return { ...onKey(quitting, { type: 'escape' }), quitting: true };
  if (state.phase !== 'idle') return { ...cancelled(quitting), quitting: true };
  return state.editor.text === '' ? quitting : { ...quitting, editor: withText(state.editor, '') };
}

function cancelled(state: ChatState): ChatState {
  if (state.phase !== 'working') return state;
  return { ...state, phase: 'cancelling', deeds: [{ type: 'cancel' }] };
}

function inEditor(state: ChatState, key: Key): ChatState {
  const { editor } = state;
  switch (key.type) {
    case 'enter':
      if (editor.text.endsWith('\\')) return { ...state, editor: withText(editor, `${editor.text.slice(0, -1)}\n`) };
      return send(state);
    case 'escape':
      return cancelled(state);
    case 'close':
      return editor.text === '' && state.phase === 'idle' ? { ...state, deeds: [{ type: 'quit' }] } : state;
    case 'tab':
      return { ...state, editor: withText(editor, completed(editor.text) ?? editor.text) };
    default:
      return { ...state, editor: edit(editor, key) };
  }
}

function send(state: ChatState): ChatState {
  const text = state.editor.text.trim();
  if (text === '') return state;
  const emptied = { ...state, editor: sent(state.editor) };
  if (state.phase !== 'idle') return { ...emptied, queued: joined(state.queued, text) };
  if (text.startsWith('/')) return runSlashCommand({ ...emptied, ...add(emptied, { type: 'you', text }) }, text);
  return begun({ ...emptied, ...add(emptied, { type: 'you', text }), deeds: [{ type: 'send', text }] });
}

/** Nothing is going on any more: what was sent meanwhile is next, unless the person has stopped or must decide. */
export function onSettled(state: ChatState): ChatState {
  const { phase, queued, editor, dialog } = state;
  const idle: ChatState = { ...state, phase: 'idle', queued: '' };
  if (queued === '') return idle;
  if (phase === 'cancelling' || dialog !== undefined)
    return { ...idle, editor: withText(editor, joined(queued, editor.text)) };
  return { ...send({ ...idle, editor: withText(editor, queued) }), editor };
}

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join('\n');
}

/** A request is taken up: the guard looks at it afresh. */
function begun(state: ChatState): ChatState {
  const guard = state.facts.guard === 'off' ? 'off' : 'watching';
  return { ...withFacts(state, { guard }), phase: 'working', calls: [] };
}

function inLoopDialog(state: ChatState, dialog: LoopDialog, key: Key): ChatState {
  const answer = pressInLoopDialog(dialog, key);
  if ('type' in answer) return { ...state, dialog: answer };
  const { report } = dialog;
  const { title, explanation, waste } = report;
  const told = add(state, { type: 'loop', title, explanation, waste }, settled(answer, report));
  const closed: ChatState = { ...state, ...told, dialog: undefined, deeds: [{ type: 'answer-loop', ...answer }] };
  const decided = withFacts(closed, { guard: answer.choice === 'disable' ? 'off' : 'watching' }); // nothing is halted now
  return answer.choice !== 'stop' && report.resumes ? begun(decided) : decided;
}

/** What is said about a choice. */
function settled({ choice, hint = '' }: LoopAnswer, report: HaltReport): Item {
  if (choice === 'hint') return { type: 'you', text: hint };
  return note(consequence(choice, report), choice === 'stop' ? 'plain' : 'good');
}

function inApproval(state: ChatState, dialog: ApprovalDialog, key: Key): ChatState {
  const answer = pressInApproval(dialog, key);
  if (typeof answer === 'object') return { ...state, dialog: answer };
  const closed = { ...state, dialog: undefined };
  if (answer === 'cancel') return { ...closed, phase: 'cancelling', deeds: [{ type: 'cancel' }] };
  return { ...closed, deeds: [{ type: 'answer-approval', id: dialog.id, answer }] };
}

function inSessions(state: ChatState, dialog: SessionDialog, key: Key): ChatState {
  const answer = pressInSessions(dialog, key);
  if (answer === 'leave') return { ...state, dialog: undefined };
  if ('type' in answer) return { ...state, dialog: answer };
  return { ...state, dialog: undefined, deeds: [{ type: 'resume', session: answer }] };
}
