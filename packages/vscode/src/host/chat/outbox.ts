import type { ClientEvent } from '@loopfuse/agent';
import type { ToView } from '../../protocol/index.js';
import { mergeEvent } from './merge-event.js';

/** Sends to the page, in order: messages at once, events in batches with their deltas merged. */
export interface Outbox {
  event(event: ClientEvent): void;
  send(message: ToView): void;
  /** Sends the events that are waiting. */
  flush(): void;
  /** To be called when the page has the conversation: sends the messages that were kept for it. */
  deliver(): void;
}

export interface OutboxOptions {
  readonly post: (message: ToView) => void;
  /** Whether there is a page and it has the conversation. Until then, messages that are not part of the conversation are kept. */
  readonly isOpen?: () => boolean;
  /** How long events wait to be sent together, in milliseconds. */
  readonly pause: number;
  /** Called after events were sent. */
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

/** The most messages that are kept for a page; the oldest are dropped. */
const mostKept = 200;

/** Whether a message says something that is not part of the conversation, which every page gets first. */
function outlasts({ type }: ToView): boolean {
  return type === 'note' || type === 'compose' || type === 'sessions';
}
