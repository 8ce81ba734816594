import type { ApprovalAnswer, ApprovalRequest } from '@loopfuse/agent';
import type { Key } from '../../../terminal/keys/key.js';

/** The question whether a call may run. */
export interface ApprovalDialog {
  readonly type: 'approval';
  readonly id: number;
  readonly request: ApprovalRequest;
  /** Index into `approvalAnswers`. */
  readonly chosen: number;
}

export const approvalAnswers: readonly ApprovalAnswer[] = ['once', 'always', 'no'];
/** The keys for them, in the same order. */
export const approvalLetters = 'yan';

/** What a key does. Escape says no and gives the request up altogether. */
export function pressInApproval(dialog: ApprovalDialog, key: Key): ApprovalDialog | ApprovalAnswer | 'cancel' {
  const { chosen } = dialog;
  const { length } = approvalAnswers;
  switch (key.type) {
    case 'escape':
      return 'cancel';
    case 'up':
      return { ...dialog, chosen: (chosen + length - 1) % length };
    case 'down':
    case 'tab':
      return { ...dialog, chosen: (chosen + 1) % length };
    case 'enter':
      return approvalAnswers[chosen] ?? 'no';
    case 'text':
      return (key.text.length === 1 && approvalAnswers[approvalLetters.indexOf(key.text.toLowerCase())]) || dialog;
    default:
      return dialog;
  }
}
