import { messageOf } from 'loopfuse/words';
import { readToView, type ToHost, type ToView } from '../protocol/index.js';
import { type PageAction, reduce } from './state/reduce.js';
import { startState, type ViewState } from './state/view-state.js';

/** Holds the state. Messages change it at once; listeners are called once per frame, however many messages came. */
export interface Store {
  readonly state: ViewState;
  /** Handles whatever was sent to the page. */
  receive(message: unknown): void;
  show(action: PageAction): void;
  watch(listener: () => void): () => void;
}

export interface Clock {
  now(): number;
  /** Calls `callback` before the next frame is painted, or later if the page is hidden. */
  nextFrame(callback: () => void): void;
}

/** After rendering, the page waits as long as that took, at most this many milliseconds, so that input events are handled. */
const longestRest = 50;

export function createStore(post: (message: ToHost) => void, { now, nextFrame }: Clock): Store {
  let state = startState;
  let waiting = false;
  let restUntil = 0;
  const listeners = new Set<() => void>();

  function take(input: ToView | PageAction): void {
    const before = state;
    state = reduce(state, input);
    for (const message of state.problems) post({ type: 'problem', message });
    if (state === before || waiting) return;
    waiting = true;
    nextFrame(tell);
  }

  function tell(): void {
    const begun = now();
    if (begun < restUntil) {
      nextFrame(tell);
      return;
    }
    waiting = false;
    for (const listener of listeners) listener();
    const shown = now();
    restUntil = shown + Math.min(longestRest, shown - begun);
  }

  return {
    get state() {
      return state;
    },
    receive(message) {
      try {
        take(readToView(message));
      } catch (fault) {
        take({ type: 'not-understood', message: messageOf(fault) });
      }
    },
    show: take,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
