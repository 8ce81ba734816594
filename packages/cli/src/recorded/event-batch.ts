import type { AgentEvent } from 'loopfuse';

/** Events of one session on their way from what reads them to what judges them. */
export interface EventBatch {
  add(event: AgentEvent): void;
  /** Passes on what has gathered. Whoever wants to know about the session asks for it first. */
  flush(): void;
}

/** More than this is not kept back: so many events, or so many characters, so that the memory stays small. */
const mostEvents = 512;
const mostCharacters = 1024 * 1024;

/**
 * Gathers events and passes them on, in order, many at a time. Reading and judging are two large bodies of code: where
 * every event goes through both, the engine compiles them as one, again for every way that an event is made, and throws
 * that away whenever a log of another agent brings events of another shape. Apart they are compiled once.
 */
export function createBatch(observe: (event: AgentEvent) => void): EventBatch {
  let events: AgentEvent[] = [];
  let characters = 0;

  function flush(): void {
    const ready = events;
    events = [];
    characters = 0;
    for (const event of ready) observe(event);
  }

  return {
    add(event) {
      events.push(event);
      characters += sizeOf(event);
      if (events.length >= mostEvents || characters >= mostCharacters) flush();
    },
    flush,
  };
}

/** Roughly: what is structured, and whatever else a log may hold, counts as nothing. */
function sizeOf(event: AgentEvent): number {
  const said = event.type === 'text' || event.type === 'reasoning' ? event.text : undefined;
  const text: unknown = event.type === 'tool-result' ? event.output : said;
  return typeof text === 'string' ? text.length : 0;
}
