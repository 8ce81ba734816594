import type { ClientEvent } from '@loopfuse/agent';

/**
 * Adds an event to a list. A delta that continues the last event is merged into it. The order is kept, and events of unknown
 * kinds are added as they are.
 */
export function mergeEvent(events: ClientEvent[], event: ClientEvent): void {
  const last = events.at(-1);
  const joined = last === undefined ? undefined : join(last, event);
  if (joined === undefined) events.push(event);
  else events[events.length - 1] = joined;
}

/** Adds an event to those of a request. The output of a call is dropped when its result comes, which repeats it. */
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
