import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from 'loopfuse/words';
import type { Alarm } from './alarms.js';

/** Sends alarms to an external receiver, at a limited rate. Never throws, and does not block the watch. */
export interface Outbox {
  send(alarm: Alarm): void;
  /** Waits a moment for deliveries in progress; returns how many alarms were never delivered. Never rejects. */
  stop(): Promise<number>;
}

export interface OutboxOptions {
  /** Delivers alarms; rejects with what went wrong. `signal` is aborted when the outbox is stopped. */
  readonly deliver: (alarms: readonly [Alarm, ...Alarm[]], signal: AbortSignal) => Promise<void>;
  /** At most `most` deliveries in `window` milliseconds; more have to wait. */
  readonly most?: number;
  readonly window?: number;
  /** Whether alarms that had to wait are sent in one delivery, not one by one. */
  readonly together?: boolean;
  /** Called when a delivery fails: once, until one arrives again. */
  readonly onProblem: (message: string) => void;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** The most alarms that can wait; later ones are lost. */
const mostWaiting = 100;
/** How long `stop` waits for deliveries, in milliseconds. */
const grace = 2000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { deliver, most = 10, window = 60_000, together = false, onProblem } = options;
  const { clock = () => performance.now() } = options;
  const ending = new AbortController();
  const underway = new Set<Promise<void>>();
  let waiting: Alarm[] = [];
  let lost = 0;
  let sent: number[] = []; // when, within the window
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  function deliverNow(alarms: readonly [Alarm, ...Alarm[]]): void {
    sent.push(clock());
    const delivery = (async () => deliver(alarms, ending.signal))()
      .then(
        () => {
          isFailing = false;
        },
        (cause: unknown) => {
          lost += alarms.length;
          if (!isFailing) onProblem(messageOf(cause));
          isFailing = true;
        },
      )
      .finally(() => underway.delete(delivery));
    underway.add(delivery);
  }

  /** Sends what may be sent now, and sets a timer for the rest. */
  function pump(): void {
    timer = undefined;
    const since = clock() - window;
    sent = sent.filter((at) => at > since);
    while (waiting.length > 0 && sent.length < most) {
      const batch = together ? waiting : waiting.slice(0, 1);
      waiting = together ? [] : waiting.slice(1);
      deliverNow(batch as [Alarm, ...Alarm[]]);
    }
    if (waiting.length === 0) return;
    timer = setTimeout(pump, Math.max(1, sent[0]! + window - clock()));
    timer.unref();
  }

  return {
    send(alarm) {
      if (ending.signal.aborted || waiting.length >= mostWaiting) lost++;
      else waiting.push(alarm);
      if (timer === undefined) pump();
    },
    async stop() {
      clearTimeout(timer);
      await Promise.race([Promise.all(underway), sleep(grace, undefined, { ref: false })]);
      ending.abort();
      await Promise.all(underway);
      return lost + waiting.length;
    },
  };
}
