import type { AgentEvent, Json } from 'loopfuse';
import type { Spent } from './scene.js';

/** The last call up to this event, without its id. */
export function lastCall(events: readonly AgentEvent[], at: number): Json | undefined {
  const call = events.slice(0, at + 1).findLast((event) => event.type === 'tool-call');
  return call && { tool: call.tool, input: call.input };
}

/** What a stretch of a recording used. Calls equal to `sameAs` are counted apart. */
export function spentIn(events: readonly AgentEvent[], sameAs: Json | undefined): Spent {
  const spent: Spent = { events: events.length, calls: 0, same: 0, tokens: 0, cost: 0, milliseconds: 0 };
  const same = JSON.stringify(sameAs);
  for (const event of events) {
    if (event.type === 'tool-call') {
      spent.calls++;
      if (JSON.stringify({ tool: event.tool, input: event.input }) === same) spent.same++;
    } else if (event.type === 'usage') {
      spent.tokens += event.inputTokens + event.outputTokens;
      spent.cost += event.cost ?? 0;
    }
  }
  spent.milliseconds = Math.max(0, (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0));
  return spent;
}
