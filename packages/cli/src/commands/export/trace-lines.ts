import type { AgentEvent, Json } from 'loopfuse';
import type { Mask } from '../../recorded/mask.js';
import type { OpenedSession } from '../../recorded/open-session.js';

/** A session as the lines of a trace, masked. */
export function* traceLines({ session, events }: OpenedSession, mask: Mask): Generator<string> {
  const { id, agent, model, project, version, title, parent } = session;
  const facts = { session: id, agent, model, project, version, title, parent };
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  const masked = known.map(([key, fact]) => [key, mask.text(fact!)]);
  yield `${JSON.stringify({ loopfuse: 1, ...Object.fromEntries(masked) })}\n`;
  for (const event of joined(events)) yield `${JSON.stringify(maskedEvent(event, mask))}\n`;
}

/** The keys of an event itself never name secrets; those inside its values may. */
function maskedEvent(event: AgentEvent, mask: Mask): object {
  return Object.fromEntries(Object.entries(event).map(([key, value]) => [key, mask.value(value as Json)]));
}

/** Joins the deltas of a message: a secret that is cut in two would not be recognised. */
function* joined(events: readonly AgentEvent[]): Generator<AgentEvent> {
  let open: AgentEvent | undefined;
  for (const event of events) {
    if ((open?.type === 'text' || open?.type === 'reasoning') && open.type === event.type && open.lane === event.lane) {
      open = { ...open, text: open.text + event.text };
      continue;
    }
    if (open) yield open;
    open = event;
  }
  if (open) yield open;
}
