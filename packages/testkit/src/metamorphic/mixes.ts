import type { AgentEvent } from 'loopfuse';

/** A way to join sessions into one that has no loop. */
export interface Mix {
  readonly name: string;
  /** How many sessions it takes. */
  readonly takes: number;
  mix(sessions: readonly (readonly AgentEvent[])[]): AgentEvent[];
}

export const mixes: readonly Mix[] = [
  { name: 'five sessions one after the other', takes: 5, mix: (sessions) => renamed(sessions).flat() },
  { name: 'two sessions in turn, event by event', takes: 2, mix: (sessions) => inTurn(renamed(sessions)) },
  { name: 'the same session twice', takes: 1, mix: ([session = []]) => renamed([session, session]).flat() },
  { name: 'a summary after every 80 events', takes: 1, mix: ([session = []]) => session.flatMap(withSummaries) },
  { name: 'no prompts', takes: 1, mix: ([session = []]) => session.filter(({ type }) => type !== 'prompt') },
];

/** Calls of different sessions must not share ids. */
function renamed(sessions: readonly (readonly AgentEvent[])[]): AgentEvent[][] {
  return sessions.map((events, k) =>
    events.map((event) => ('id' in event ? { ...event, id: `${k} ${event.id}` } : event)),
  );
}

function inTurn([one = [], other = []]: readonly (readonly AgentEvent[])[]): AgentEvent[] {
  const longest = Math.max(one.length, other.length);
  return Array.from({ length: longest }, (_, k) => [one[k], other[k]].filter((event) => event !== undefined)).flat();
}

function withSummaries(event: AgentEvent, k: number): AgentEvent[] {
  return k > 0 && k % 80 === 0 ? [{ type: 'compaction' }, event] : [event];
}
