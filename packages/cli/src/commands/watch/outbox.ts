import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from 'loopfuse/words';
import type { Alarm } from './alarms.js';

/** Sends alarms to a receiver outside, a limited number in a while. It never throws, and nobody waits for it. */
export interface Outbox {
  send(alarm: Alarm): void;
  /** Gives what is under way a moment to arrive; answers how many alarms were never sent. Never rejects. */
  stop(): Promise<number>;
}

export interface OutboxOptions {
  /** Delivers alarms; rejects with what went wrong. `signal` says that nobody waits any more. */
  readonly deliver: (alarms: readonly [Alarm, ...Alarm[]], signal: AbortSignal) => Promise<void>;
  /** So many deliveries in so many milliseconds; more have to wait. */
  readonly most?: number;
  readonly window?: number;
  /** Whether what has waited goes out in one delivery, and not one by one. */
  readonly together?: boolean;
  /** Called when a delivery fails: once, until one arrives again. */
  readonly onProblem: (message: string) => void;
  /** Milliseconds that only ever go forward. */
  readonly clock?: () => number;
}

/** Of more alarms that wait, the first are kept. */
const mostWaiting = 100;
/** Milliseconds. */
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

  /** Sends what may be sent now, and comes back when more may. */
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
