import { remarked } from '../history/remarks.js';
import type { RemarkEvent } from './client-event.js';
import type { State } from './state.js';

/** Stores an event that is not part of a message at its place in the history, and returns it. */
export function remark<Event extends RemarkEvent>(state: State, event: Event): Event {
  const { turn } = state;
  if (turn === undefined) state.history = remarked(state.history, { event });
  else turn.remarks.push({ event, ...(turn.at === undefined ? { blocks: turn.draft.blocks.length } : {}) });
  return event;
}
