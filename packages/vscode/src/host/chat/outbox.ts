import type { ClientEvent } from '@loopfuse/agent';
import type { ToView } from '../../protocol/index.js';
import { mergeEvent } from './merge-event.js';

/** What goes to the page, in order: messages at once, events a few times a second with their deltas merged. */
export interface Outbox {
  event(event: ClientEvent): void;
  send(message: ToView): void;
  /** Sends what waits. */
  flush(): void;
  /** The page has been shown the conversation: what the conversation does not tell, and came before, is sent now. */
  deliver(): void;
}

export interface OutboxOptions {
  readonly post: (message: ToView) => void;
  /** Whether there is a page that has been shown the conversation. Until then, what it would not learn by that is kept. */
  readonly isOpen?: () => boolean;
  /** How long events wait for more of them, in milliseconds. */
  readonly pause: number;
  /** Called after events were sent, for what follows from them. */
  readonly onFlush?: () => void;
}

export function createOutbox({ post: postNow, isOpen = () => true, pause, onFlush = () => {} }: OutboxOptions): Outbox {
  let kept: ToView[] = [];
  let waiting: ClientEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  function post(message: ToView): void {
    if (isOpen() || !outlasts(message)) postNow(message);
    else if (kept.push(message) > mostKept) kept.shift();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    post({ type: 'events', events });
    onFlush();
  }

  return {
    event(event) {
      mergeEvent(waiting, event);
      timer ??= setTimeout(flush, pause);
    },
    send(message) {
      flush();
      post(message);
    },
    flush,
    deliver() {
      const messages = kept;
      kept = [];
      for (const message of messages) postNow(message);
    },
  };
}

/** More than this nobody reads when the page is there at last. */
const mostKept = 200;

/** Whether a message is about something that the conversation, which every page is shown first, does not tell. */
function outlasts({ type }: ToView): boolean {
  return type === 'note' || type === 'compose' || type === 'sessions';
}
