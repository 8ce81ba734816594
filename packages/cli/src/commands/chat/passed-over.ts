import type { Kept } from './open-agent.js';

/** Warnings if `--resume` without an id continues an earlier session, because a later one cannot be read. */
export function passedOver(kept: Kept | undefined): readonly string[] {
  return (kept?.passedOver ?? []).map((reason) => `${reason}. Going on with the latest session before it.`);
}
