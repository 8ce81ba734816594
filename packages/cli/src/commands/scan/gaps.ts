import { counted } from 'loopfuse/words';
import type { FileFault } from '../../recorded/scan-file.js';

/** What a scan did not get to see, so that no output passes for the whole. */
export interface Gaps {
  /** How much it had read when it was interrupted; undefined where it was not. */
  readonly readBefore?: string | undefined;
  readonly unread: readonly Unread[];
}

/** A file or a folder that could not be read, or not to its end. */
export interface Unread {
  readonly file: string;
  readonly message: string;
}

export const noGaps: Gaps = { unread: [] };

/**
 * Whether more of the file than a line is missing. A log whose last line is not whole is being written to, and one with a
 * broken line was read all the same.
 */
export function isUnread({ kind, line }: FileFault): boolean {
  return kind === 'unreadable' || (kind === 'cut' && line === undefined);
}

/** "2 files or folders could not be read, or not to their end" */
export function unreadInWords({ length }: readonly Unread[]): string {
  return `${counted(length, 'file or folder', 'files or folders')} could not be read, or not to ${length === 1 ? 'its' : 'their'} end`;
}
