import { type Editor, edit, sent, withText } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';
import { type ApprovalDialog, pressInApproval } from './approval-dialog.js';
import { isCommand, runSlashCommand, runsAtOnce } from './commands.js';
import { type LoopDialog, pressInLoopDialog } from './loop-dialog.js';
import { pressInOutput } from './output-dialog.js';
import { pressInSessions, type SessionDialog } from './session-dialog.js';
import { moved, opensMenu, type SlashMenu, slashMenu } from './slash-menu.js';
import { type ChatState, happens } from './state.js';

/** What a key does, in any state of the chat. */
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
    case 'output': {
      const answer = pressInOutput(state.dialog, key);
      return { ...state, dialog: answer === 'leave' ? undefined : answer };
    }
    case undefined:
      return inEditor(state, key);
  }
}

/** Ctrl-O: shows all of a change to approve; otherwise switches full thinking on or off. */
function detailed(state: ChatState): ChatState {
  const { dialog } = state;
  if (dialog?.type !== 'approval') return { ...state, full: !state.full };
  return happens(state, { type: 'display', display: dialog.request.display });
}

/** Ctrl-C: cancels the work or clears the text; pressed again, it quits. */
function interrupted(state: ChatState): ChatState {
  if (state.quitting) return { ...state, actions: [{ type: 'quit' }] };
  const quitting = { ...state, quitting: true };
  if (state.dialog !== undefined) return { ...onKey(quitting, { type: 'escape' }), quitting: true };
  if (state.conversation.phase !== 'idle') return { ...cancelled(quitting), quitting: true };
  return state.editor.text === '' ? quitting : { ...quitting, editor: withText(state.editor, ''), menu: undefined };
}

function cancelled(state: ChatState): ChatState {
  if (state.conversation.phase !== 'working') return state;
  return { ...happens(state, { type: 'stopping' }), actions: [{ type: 'cancel' }] };
}

function inEditor(state: ChatState, key: Key): ChatState {
  const menu = slashMenu(state);
  return (menu === undefined ? undefined : inMenu(state, menu, key)) ?? inText(state, key);
}

/** What a key does in the menu of commands; `undefined` if the key is for the text. */
function inMenu(state: ChatState, menu: SlashMenu, key: Key): ChatState | undefined {
  const { editor } = state;
  const { name, takes } = menu.commands[menu.chosen]!;
  switch (key.type) {
    case 'up':
      return { ...state, menu: moved(menu, -1) };
    case 'down':
      return { ...state, menu: moved(menu, 1) };
    case 'tab':
      return { ...state, menu: undefined, editor: withText(editor, `/${name}${takes === '' ? '' : ' '}`) };
    case 'enter':
      return send({ ...state, editor: withText(editor, `/${name}`) });
    case 'escape':
      return { ...state, menu: undefined };
    default:
      return undefined;
  }
}

function inText(state: ChatState, key: Key): ChatState {
  const { editor } = state;
  switch (key.type) {
    case 'enter':
      if (editor.text.endsWith('\\')) return { ...state, editor: withText(editor, `${editor.text.slice(0, -1)}\n`) };
      return send(state);
    case 'escape':
      return cancelled(state);
    case 'close':
      return editor.text === '' && state.conversation.phase === 'idle'
        ? { ...state, actions: [{ type: 'quit' }] }
        : state;
    case 'tab':
      return { ...state, menu: opensMenu(editor.text) ? 0 : undefined };
    case 'up': // no menu for an earlier message
    case 'down':
      return { ...state, menu: undefined, editor: edit(editor, key) };
    default:
      return typed(state, edit(editor, key));
  }
}

/** A changed text resets the menu. */
function typed(state: ChatState, editor: Editor): ChatState {
  if (editor.text === state.editor.text) return { ...state, editor };
  return { ...state, editor, menu: opensMenu(editor.text) ? 0 : undefined };
}

function send(state: ChatState): ChatState {
  const text = state.editor.text.trim();
  if (text === '') return state;
  const [first, rest] = isCommand(text) ? atFirstLine(text) : [text, ''];
  const emptied = { ...state, editor: withText(sent(state.editor), rest), menu: undefined };
  if (runsAtOnce(first)) return runSlashCommand(emptied, first);
  if (state.conversation.phase !== 'idle') return { ...emptied, queued: [...state.queued, first] };
  return begin(emptied, first);
}

/** A command is one line: the lines below it stay in the editor. */
function atFirstLine(text: string): readonly [string, string] {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end).trimEnd(), text.slice(end + 1)];
}

function begin(state: ChatState, text: string): ChatState {
  if (isCommand(text)) return runSlashCommand(happens(state, { type: 'typed', text }), text);
  return { ...happens(state, { type: 'started', text }), actions: [...state.actions, { type: 'send', text }] };
}

/** The work has ended: what was queued is next, unless the user has cancelled or must answer a question. */
export function onSettled(state: ChatState): ChatState {
  const { queued, editor, dialog } = state;
  const { phase } = state.conversation;
  const idle: ChatState = { ...happens(state, { type: 'settled' }), queued: [] };
  if (queued.length === 0) return idle;
  if (phase === 'stopping' || dialog !== undefined)
    return { ...idle, editor: withText(editor, [...queued, editor.text].filter((text) => text !== '').join('\n')) };
  return next(idle, queued);
}

/** Begins what is queued, in order: commands one by one, and consecutive messages as one. */
function next(state: ChatState, queued: readonly string[]): ChatState {
  if (queued.length === 0 || state.conversation.phase !== 'idle') return { ...state, queued };
  const command = queued.findIndex(isCommand);
  const many = command === 0 ? 1 : command < 0 ? queued.length : command;
  return next(begin(state, queued.slice(0, many).join('\n')), queued.slice(many));
}

function inLoopDialog(state: ChatState, dialog: LoopDialog, key: Key): ChatState {
  const answer = pressInLoopDialog(dialog, key);
  if ('type' in answer) return { ...state, dialog: answer };
  const { choice, hint } = answer;
  const settled: ChatState = {
    ...happens(state, { type: 'loop-answered', ...answer }),
    dialog: undefined,
    actions: [{ type: 'answer-loop', ...answer }],
  };
  return choice === 'stop' || !dialog.report.resumes ? settled : happens(settled, { type: 'started', text: hint });
}

function inApproval(state: ChatState, dialog: ApprovalDialog, key: Key): ChatState {
  const answer = pressInApproval(dialog, key);
  if (typeof answer === 'object' && 'type' in answer) return { ...state, dialog: answer };
  const closed = { ...happens(state, { type: 'approval-gone', id: dialog.id }), dialog: undefined };
  if (answer === 'cancel') return { ...happens(closed, { type: 'stopping' }), actions: [{ type: 'cancel' }] };
  return { ...closed, actions: [{ type: 'answer-approval', id: dialog.id, answer }] };
}

function inSessions(state: ChatState, dialog: SessionDialog, key: Key): ChatState {
  const answer = pressInSessions(dialog, key);
  if (answer === 'leave') return { ...state, dialog: undefined };
  if ('type' in answer) return { ...state, dialog: answer };
  return { ...state, dialog: undefined, actions: [{ type: 'resume', session: answer }] };
}
