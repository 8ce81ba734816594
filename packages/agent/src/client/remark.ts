import { remarked } from '../history/remarks.js';
import type { RemarkEvent } from './client-event.js';
import type { State } from './state.js';

/** Keeps an event that no message tells where it happened, and gives it back to be passed on. */
export function remark<Event extends RemarkEvent>(state: State, event: Event): Event {
  const { turn } = state;
  if (turn === undefined) state.history = remarked(state.history, { event });
  else turn.remarks.push({ event, ...(turn.at === undefined ? { blocks: turn.draft.blocks.length } : {}) });
  return event;
}
