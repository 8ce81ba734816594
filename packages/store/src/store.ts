/**
 * Where the state of sessions is kept between requests. A caller works on one session at a time, inside `update`; the
 * store does the rest: turns, expiry, bounds, faults.
 */
export interface Store {
  /**
   * Runs `work` with what was saved under `key`, alone: no other `update` of the same key runs meanwhile, in this
   * process or in any other that shares the store. Keep it short; do not wait for a model inside it, and do not call
   * `update` of the same key inside it.
   *
   * It never fails because of the store: if the store cannot be read, locked or written, `work` still runs with the
   * best that this process remembers, and the fault is reported. It rejects only with what `work` itself throws, and
   * then saves nothing. `work` runs exactly once.
   */
  update<Result>(key: string, work: Work<Result>): Promise<Result>;
  /** The sessions that were saved last, newest first, read without waiting for their turns. */
  recent(limit?: number): Promise<readonly SavedSession[]>;
  readonly health: Health;
  /** Waits for what is under way and releases files, timers and connections. */
  close(): Promise<void>;
}

/** `saved` is a copy, parsed from JSON: check it before you trust it. It is undefined for a new session. */
export type Work<Result> = (saved: unknown) => Outcome<Result> | Promise<Outcome<Result>>;

/** What happens to the session: `save` replaces what is saved, `forget` removes it, neither leaves it unchanged. */
export type Outcome<Result> =
  | { readonly result: Result; readonly save?: unknown; readonly forget?: never }
  | { readonly result: Result; readonly forget: true; readonly save?: never };

export interface SavedSession {
  readonly key: string;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
  readonly saved: unknown;
}

export type Health =
  | { readonly state: 'ok' }
  | { readonly state: 'degraded'; readonly since: number; readonly fault: StoreFault };

/** Something that the store could not do. The caller went on regardless. */
export interface StoreFault {
  readonly where: 'store';
  /** `memory`, `disk` or `redis`. */
  readonly store: string;
  readonly operation: 'load' | 'lock' | 'save' | 'list' | 'close';
  /** The session, if the fault is about one. */
  readonly key?: string;
  /** What was expected, what happened, and what it means for the session. Never holds what was saved. */
  readonly message: string;
  /** How many faults of the same kind were not reported since the last report. */
  readonly suppressed: number;
  readonly cause: unknown;
}

export interface StoreOptions {
  /** Sessions that were not saved for this long are dropped. */
  readonly expirySeconds?: number;
  /** A session whose JSON is longer is not saved, and reported. */
  readonly mostCharacters?: number;
  /** How long to wait for another `update` of the same session before going on without saving. */
  readonly waitMs?: number;
  /** How long a store that could not be reached is left alone. */
  readonly pauseMs?: number;
  /** How many sessions this process keeps a copy of, to go on from when the store fails. */
  readonly copies?: number;
  readonly onFault?: (fault: StoreFault) => void;
  /** Called when the store works again after a fault. */
  readonly onRecovery?: () => void;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}
