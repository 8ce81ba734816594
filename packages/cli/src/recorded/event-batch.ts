import type { AgentEvent } from 'loopfuse';

/** Events of one session between the reader and the detectors. */
export interface EventBatch {
  add(event: AgentEvent): void;
  /** Passes the gathered events on. Must be called before the result of the session is read. */
  flush(): void;
}

/** The events or characters after which a batch is passed on, so that memory stays small. */
const mostEvents = 512;
const mostCharacters = 1024 * 1024;

/**
 * Gathers events and passes them on, in order, many at a time. Reading and detecting are two large bodies of code. If every
 * event goes through both at once, the JavaScript engine compiles them together, again for every way in which events are
 * created, and discards that whenever the log of another agent brings events of another shape. Apart, each is compiled once.
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

/** Roughly: only text is counted, not structured values. */
function sizeOf(event: AgentEvent): number {
  const said = event.type === 'text' || event.type === 'reasoning' ? event.text : undefined;
  const text: unknown = event.type === 'tool-result' ? event.output : said;
  return typeof text === 'string' ? text.length : 0;
}
