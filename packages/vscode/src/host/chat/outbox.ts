import type { ClientEvent } from '@loopfuse/agent';
import type { ToView } from '../../protocol/index.js';
import { mergeEvent } from './merge-event.js';

/** What goes to the page, in order: messages at once, events a few times a second with their deltas merged. */
export interface Outbox {
  event(event: ClientEvent): void;
  send(message: ToView): void;
  /** Sends what waits. */
  flush(): void;
}

export interface OutboxOptions {
  readonly post: (message: ToView) => void;
  /** How long events wait for more of them, in milliseconds. */
  readonly breath: number;
  /** Called after events were sent, for what follows from them. */
  readonly onFlush?: () => void;
}

export function createOutbox({ post, breath, onFlush = () => {} }: OutboxOptions): Outbox {
  let waiting: ClientEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

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
      timer ??= setTimeout(flush, breath);
    },
    send(message) {
      flush();
      post(message);
    },
    flush,
  };
}
