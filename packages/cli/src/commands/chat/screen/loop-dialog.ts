import type { HaltReport, ToolCall } from '@loopfuse/agent';
import type { LoopCard } from '@loopfuse/conversation';
import type { Choice } from 'loopfuse';
import { type Editor, edit, startEditor } from '../../../terminal/editor/editor.js';
import type { Key } from '../../../terminal/keys/key.js';

/** The question what to do about a loop. */
export interface LoopDialog {
  readonly type: 'loop';
  readonly report: HaltReport;
  /** The latest call of each tool that takes part. */
  readonly calls: readonly ToolCall[];
  /** What the loop has cost in dollars, if that is known. */
  readonly cost?: number;
  /** Index of the choice that Enter would take. */
  readonly chosen: number;
  /** The hint, while it is being typed. */
  readonly hint?: Editor;
}

export interface LoopAnswer {
  readonly choice: Choice;
  readonly hint?: string;
}

export function openLoopDialog(
  report: HaltReport,
  { calls = [], cost }: Partial<Pick<LoopCard, 'calls' | 'cost'>> = {},
): LoopDialog {
  return { type: 'loop', report, calls, chosen: 0, ...(cost === undefined ? {} : { cost }) };
}

/** What a key does: the dialog goes on, or there is an answer. Escape stops; while a hint is being typed, it goes back. */
export function pressInLoopDialog(dialog: LoopDialog, key: Key): LoopDialog | LoopAnswer {
  const { report, chosen, hint } = dialog;
  const { choices } = report;
  if (hint !== undefined) return pressInHint(dialog, hint, key);
  switch (key.type) {
    case 'escape':
      return { choice: 'stop' };
    case 'up':
      return { ...dialog, chosen: (chosen + choices.length - 1) % choices.length };
    case 'down':
    case 'tab':
      return { ...dialog, chosen: (chosen + 1) % choices.length };
    case 'enter':
      return take(dialog, choices[chosen] ?? 'stop');
    case 'text': {
      const choice = /^[1-9]$/.test(key.text) ? choices[Number(key.text) - 1] : undefined;
      return choice === undefined ? dialog : take({ ...dialog, chosen: choices.indexOf(choice) }, choice);
    }
    default:
      return dialog;
  }
}

function take(dialog: LoopDialog, choice: Choice): LoopDialog | LoopAnswer {
  return choice === 'hint' ? { ...dialog, hint: startEditor() } : { choice };
}

function pressInHint(dialog: LoopDialog, hint: Editor, key: Key): LoopDialog | LoopAnswer {
  if (key.type === 'escape') {
    const { hint: _, ...rest } = dialog;
    return rest;
  }
  if (key.type !== 'enter') return { ...dialog, hint: edit(hint, key) };
  const text = hint.text.trim();
  return text === '' ? dialog : { choice: 'hint', hint: text };
}
