import type { Key } from '../../../terminal/keys/key.js';
import type { Line } from '../../../terminal/rich/span.js';

/** The whole output of a call, to scroll through. */
export interface OutputDialog {
  readonly type: 'output';
  readonly title: string;
  /** Laid out for the terminal, without control characters. */
  readonly lines: readonly Line[];
  /** Index of the first line that is shown. */
  readonly top: number;
  /** How many lines are shown. */
  readonly room: number;
}

/** What a key does; as in other programs that show long texts. */
export function pressInOutput(dialog: OutputDialog, key: Key): OutputDialog | 'leave' {
  const { top, room, lines } = dialog;
  switch (key.type) {
    case 'escape':
    case 'close':
    case 'enter':
      return 'leave';
    case 'up':
      return scrolled(dialog, top - 1);
    case 'down':
      return scrolled(dialog, top + 1);
    case 'home':
      return scrolled(dialog, 0);
    case 'end':
      return scrolled(dialog, lines.length);
    case 'text':
      return onLetter(dialog, key.text, Math.max(1, room - 1));
    default:
      return dialog;
  }
}

function onLetter(dialog: OutputDialog, letter: string, page: number): OutputDialog | 'leave' {
  switch (letter) {
    case 'q':
      return 'leave';
    case ' ':
    case 'f':
      return scrolled(dialog, dialog.top + page);
    case 'b':
      return scrolled(dialog, dialog.top - page);
    case 'g':
      return scrolled(dialog, 0);
    case 'G':
      return scrolled(dialog, dialog.lines.length);
    default:
      return dialog;
  }
}

function scrolled(dialog: OutputDialog, top: number): OutputDialog {
  return { ...dialog, top: Math.max(0, Math.min(top, dialog.lines.length - dialog.room)) };
}
