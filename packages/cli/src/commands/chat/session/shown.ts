import type { Tone } from '@loopfuse/conversation';
import { messageOf } from 'loopfuse/words';
import { type Input, reduce } from '../screen/reduce.js';
import type { Action, ChatState } from '../screen/state.js';

/** The state of the screen. Inputs change it; then its listeners are called, and the actions that it requests are performed. */
export interface Shown {
  readonly state: ChatState;
  dispatch(input: Input): void;
  tell(text: string, tone?: Tone): void;
  /** Runs work in the background. Errors are shown. */
  later(work: () => Promise<void>): void;
  /** Calls `listener` when the state has changed: at once for keys, a few times a second for streamed text. */
  subscribe(listener: () => void): () => void;
}

/** How long streamed text waits for more before it is drawn, in milliseconds. */
const drawDelay = 40;

export function createShown(first: ChatState, perform: (action: Action) => void): Shown {
  const listeners = new Set<() => void>();
  let state = first;
  let drawing: NodeJS.Timeout | undefined;

  function dispatch(input: Input): void {
    state = reduce(state, input);
    const { actions } = state;
    if (isStreaming(input)) drawing ??= setTimeout(notify, drawDelay);
    else notify();
    for (const action of actions) perform(action);
  }

  function notify(): void {
    clearTimeout(drawing);
    drawing = undefined;
    for (const listener of listeners) listener();
  }

  function tell(text: string, tone: Tone = 'plain'): void {
    dispatch({ type: 'note', text, tone });
  }

  return {
    get state() {
      return state;
    },
    dispatch,
    tell,
    later: (work) => void work().catch((cause: unknown) => tell(messageOf(cause), 'bad')),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isStreaming(input: Input): boolean {
  if (input.type !== 'event') return false;
  const { type } = input.event;
  return type === 'content' || type === 'reasoning' || type === 'tool-call-output';
}
