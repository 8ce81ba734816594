import type { AgentEvent } from 'loopfuse';
import { noteText } from './decided.js';
import { gravest } from './session.js';
import { laneOf, type Turn, take } from './turn.js';

export interface DeliveredCall {
  readonly id: string;
  readonly tool: string;
}

/** Takes the end of an answer into the session. A message to the model waits for the next request. */
export async function endAnswer(
  { visit, laneName, observed, now }: Turn,
  events: readonly AgentEvent[],
  delivered: readonly DeliveredCall[],
  whole: boolean,
): Promise<void> {
  const stamped = events.map((event) => laned(laneName, { ...event, at: now() }));
  for (const event of stamped) observed?.(event);
  await visit.work((session) => {
    const { guard, about } = session;
    const action = take(session, gravest(stamped.map((event) => guard.observe(event))));
    about.lastAt = now();
    about.calls += delivered.length;
    for (const event of stamped)
      if (event.type === 'usage') {
        about.inputTokens += event.inputTokens;
        about.outputTokens += event.outputTokens;
        about.cachedTokens = (about.cachedTokens ?? 0) + (event.cachedTokens ?? 0); // an older build saved none
      }
    const lane = laneOf(session, laneName);
    if (lane === undefined) return;
    lane.answered = whole;
    lane.pending = delivered.slice();
    if (action.type === 'steer' || action.type === 'block') lane.next = noteText(action.message);
  });
}

export function laned(lane: string | undefined, event: AgentEvent): AgentEvent {
  return lane === undefined ? event : { ...event, lane };
}
