import type { AgentEvent } from 'loopfuse';

/** A fingerprint of an event with all that is in it, by which it is known when it is read again. FNV-1a of its JSON. */
export function eventPrint(event: AgentEvent): number {
  const text = JSON.stringify(event);
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash;
}
