import type { Health, StoreFault, StoreOptions } from './store.js';

/** Reports what went wrong: the first fault of each kind at once, the same kind again at most every ten seconds. */
export interface Faults {
  readonly health: Health;
  report(operation: StoreFault['operation'], message: string, cause: unknown, key?: string): void;
  /** The store did what it was asked: ends the degraded state. */
  worked(): void;
}

const quietMs = 10_000;

export function createFaults(
  store: string,
  { onFault, onRecovery }: Pick<StoreOptions, 'onFault' | 'onRecovery'>,
  now: () => number,
): Faults {
  let health: Health = { state: 'ok' };
  const reported = new Map<string, { at: number; suppressed: number }>();

  return {
    get health() {
      return health;
    },
    report(operation, message, cause, key) {
      const kind = `${operation} ${codeOf(cause)}`;
      const earlier = reported.get(kind);
      const about = key === undefined ? {} : { key };
      const suppressed = earlier?.suppressed ?? 0;
      const fault: StoreFault = { where: 'store', store, operation, ...about, message, suppressed, cause };
      if (health.state === 'ok') health = { state: 'degraded', since: now(), fault };
      if (earlier !== undefined && isWithin(quietMs, earlier.at, now())) {
        earlier.suppressed += 1;
        return;
      }
      reported.set(kind, { at: now(), suppressed: 0 });
      calling(() => onFault?.(fault));
    },
    worked() {
      if (health.state === 'ok') return;
      health = { state: 'ok' };
      reported.clear();
      calling(() => onRecovery?.());
    },
  };
}

/** Whether less than `ms` has passed. False if the clock was set back, because then it is not known. */
export function isWithin(ms: number, since: number, now: number): boolean {
  return now >= since && now - since < ms;
}

/** A short code, one of few, whatever happened. */
function codeOf(cause: unknown): string {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'unknown').slice(0, 40);
}

/** An error in a listener must not stop the session either. */
function calling(listener: () => void): void {
  try {
    listener();
  } catch {
    // There is nowhere left to report it.
  }
}
