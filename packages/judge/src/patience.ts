import { requireInteger } from './options.js';

/** How a failing judge is spared: the more failures in a row, the more of the next questions are skipped. */
export interface Patience {
  /** Consultations that failed in a row. */
  readonly failed: number;
  /** Questions that will be skipped. */
  readonly skips: number;
}

/** After this many failures in a row the pause does not grow any more. */
const mostFailed = 5;
export const unspent: Patience = { failed: 0, skips: 0 };

export function afterFailure({ failed }: Patience): Patience {
  const now = Math.min(mostFailed, failed + 1);
  return { failed: now, skips: 2 ** now - 1 };
}

export function passedOver({ failed, skips }: Patience): Patience {
  return { failed, skips: skips - 1 };
}

/** Patience read back from a snapshot. Throws if it is not valid. */
export function loadPatience(saved: unknown): Patience {
  const { failed, skips } = (saved ?? {}) as Patience;
  requireInteger('failed', failed, 0, mostFailed);
  requireInteger('skips', skips, 0, 2 ** mostFailed);
  return { failed, skips };
}
