import type { ApprovalReply, ApprovalRequest } from '@loopfuse/agent';
import { type Editor, edit, startEditor } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';

/** The question whether a call may run. */
export interface ApprovalDialog {
  readonly type: 'approval';
  readonly id: number;
  readonly request: ApprovalRequest;
  /** Index into `approvalChoices`. */
  readonly chosen: number;
  /** What to do instead, while it is being typed. */
  readonly instead?: Editor;
}

export const approvalChoices = ['once', 'always', 'no', 'instead'] as const;
export type ApprovalChoice = (typeof approvalChoices)[number];
/** The keys for them, in the same order. */
export const approvalLetters = 'yani';

/** What a key does. Escape cancels the request; while an instruction is being typed, it goes back. */
export function pressInApproval(dialog: ApprovalDialog, key: Key): ApprovalDialog | ApprovalReply | 'cancel' {
  const { chosen, instead } = dialog;
  if (instead !== undefined) return pressInInstead(dialog, instead, key);
  const { length } = approvalChoices;
  switch (key.type) {
    case 'escape':
      return 'cancel';
    case 'up':
      return { ...dialog, chosen: (chosen + length - 1) % length };
    case 'down':
    case 'tab':
      return { ...dialog, chosen: (chosen + 1) % length };
    case 'enter':
      return take(dialog, chosen);
    case 'text': {
      const place = key.text.length === 1 ? approvalLetters.indexOf(key.text.toLowerCase()) : -1;
      return place < 0 ? dialog : take(dialog, place);
    }
    default:
      return dialog;
  }
}

function take(dialog: ApprovalDialog, place: number): ApprovalDialog | ApprovalReply {
  const choice = approvalChoices[place] ?? 'no';
  return choice === 'instead' ? { ...dialog, chosen: place, instead: startEditor() } : choice;
}

function pressInInstead(dialog: ApprovalDialog, line: Editor, key: Key): ApprovalDialog | ApprovalReply {
  if (key.type === 'escape') {
    const { instead: _, ...rest } = dialog;
    return rest;
  }
  if (key.type !== 'enter') return { ...dialog, instead: edit(line, key) };
  const instead = line.text.trim();
  return instead === '' ? dialog : { instead };
}
