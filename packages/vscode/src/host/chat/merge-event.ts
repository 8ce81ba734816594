import type { ClientEvent } from '@loopfuse/agent';

/**
 * Adds an event to a list of them. A delta that goes on where the last one ended becomes one with it; the order of
 * everything else is kept, and events of unknown kinds are added as they are.
 */
export function mergeEvent(events: ClientEvent[], event: ClientEvent): void {
  const last = events.at(-1);
  const joined = last === undefined ? undefined : join(last, event);
  if (joined === undefined) events.push(event);
  else events[events.length - 1] = joined;
}

/** Adds an event to those of a request. What a call wrote is not kept beyond its result, which tells it again. */
export function keepEvent(events: ClientEvent[], event: ClientEvent): void {
  if (event.type === 'tool-call-result')
    for (let k = events.length - 1; k >= 0; k--) {
      const one = events[k]!;
      if (one.type === 'tool-call-output' && one.id === event.id) events.splice(k, 1);
      if (one.type === 'tool-call-request' && one.call.id === event.id) break;
    }
  mergeEvent(events, event);
}

function join(last: ClientEvent, event: ClientEvent): ClientEvent | undefined {
  switch (event.type) {
    case 'content':
    case 'reasoning':
      return last.type === event.type ? { ...event, text: last.text + event.text } : undefined;
    case 'tool-call-output':
      return last.type === event.type && last.id === event.id ? { ...event, text: last.text + event.text } : undefined;
    default:
      return undefined;
  }
}
