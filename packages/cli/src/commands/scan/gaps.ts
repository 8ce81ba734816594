import { counted } from 'loopfuse/words';

/** What a scan did not read. Every output names it, so that no partial result looks complete. */
export interface Gaps {
  /** How much it had read when it was interrupted; undefined where it was not. */
  readonly readBefore?: string | undefined;
  readonly unread: readonly Unread[];
}

/** A file or a folder that could not be read, or only in part. */
export interface Unread {
  readonly file: string;
  readonly message: string;
}

export const noGaps: Gaps = { unread: [] };

/** "2 files or folders could not be read, or only in part" */
export function unreadInWords({ length }: readonly Unread[]): string {
  return `${counted(length, 'file or folder', 'files or folders')} could not be read, or only in part`;
}
