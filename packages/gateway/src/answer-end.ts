import { withTokens } from '@loopfuse/prices';
import type { AgentEvent, EventOf } from 'loopfuse';
import { noteText } from './decided.js';
import { gravest, type SessionFacts } from './session.js';
import { laneOf, type Turn, take } from './turn.js';

export interface DeliveredCall {
  readonly id: string;
  readonly tool: string;
}

/** Records the end of an answer in the session. A message to the model waits for the next request. */
export async function endAnswer(
  { visit, view, laneName, observed, now }: Turn,
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
    for (const event of stamped) if (event.type === 'usage') spend(about, event, view.model || about.model);
    const lane = laneOf(session, laneName);
    if (lane === undefined) return;
    lane.answered = whole;
    lane.pending = delivered.slice();
    if (action.type === 'steer' || action.type === 'block') lane.next = noteText(action.message);
  });
}

function spend(about: SessionFacts, event: EventOf<'usage'>, model: string): void {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = event;
  about.inputTokens += inputTokens;
  about.outputTokens += outputTokens;
  about.cachedTokens = (about.cachedTokens ?? 0) + cachedTokens; // an older build did not save it
  about.cacheWriteTokens = (about.cacheWriteTokens ?? 0) + cacheWriteTokens;
  about.longCacheWriteTokens = (about.longCacheWriteTokens ?? 0) + longCacheWriteTokens;
  const used = { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, longCacheWriteTokens };
  about.models = withTokens(about.models ?? [], model, used);
}

export function laned(lane: string | undefined, event: AgentEvent): AgentEvent {
  return lane === undefined ? event : { ...event, lane };
}
