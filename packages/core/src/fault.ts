import { messageOf } from './words/message-of.js';

/** Something that went wrong in our code, or in what was passed to it. It is reported, and the agent goes on. */
export interface Fault {
  where: string;
  message: string;
  /** Index of the event during which it happened. */
  seq: number;
  cause?: unknown;
}

/** Reports to `onFault`, if there is one, what happened and what was thrown. Never throws. */
export function reportFault(
  { onFault }: { readonly onFault?: ((fault: Fault) => void) | undefined },
  { where, message, seq, cause }: Fault,
): void {
  try {
    onFault?.({ where, message: `${message}: ${messageOf(cause)}`, seq, cause });
  } catch {
    // There is nowhere left to report a fault handler that throws; the agent goes on.
  }
}
