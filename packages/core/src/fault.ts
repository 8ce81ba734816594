import { messageOf } from './words/message-of.js';

/** Something of ours, or something handed to us, that went wrong. It is told, and the agent goes on. */
export interface Fault {
  where: string;
  message: string;
  /** Index of the event during which it happened. */
  seq: number;
  cause?: unknown;
}

/** Tells whoever wants to know of faults what happened and what was thrown. Never throws. */
export function reportFault(
  { onFault }: { readonly onFault?: ((fault: Fault) => void) | undefined },
  { where, message, seq, cause }: Fault,
): void {
  try {
    onFault?.({ where, message: `${message}: ${messageOf(cause)}`, seq, cause });
  } catch {
    // A fault handler that throws has nobody left to tell; the agent goes on.
  }
}
