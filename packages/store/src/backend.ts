/** A place that keeps text by key. It may throw; `createStore` makes a store of it that does not. */
export interface Backend {
  readonly name: string;
  /** Waits for the turn of this caller, and reads. Throws `Busy` when it did not come before `deadline`. */
  acquire(key: string, deadline: number): Promise<Held>;
  /** What was saved last, newest first; what was removed may be among it, and whoever has enough stops asking. */
  recent(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The turn of one caller at one key. `finish` ends it, and must be called once. */
export interface Held {
  readonly text: string | undefined;
  /** Makes the change, only if the turn is still this caller's, and ends the turn. */
  finish(change: Change): Promise<void>;
}

/**
 * The turn of a caller at a place that is full or read-only: it still says what was saved, so that a session which was stopped
 * does not start from scratch. Throws `cause`, for which there is no lock, where it does not.
 */
export async function unlocked(cause: unknown, read: () => Promise<string | undefined>): Promise<Held> {
  const text = await read().catch(() => {
    throw cause;
  });
  return {
    text,
    async finish({ type }) {
      if (type !== 'keep') throw cause;
    },
  };
}

/** `remove` keeps `text` for a short time, so that no older copy comes back. */
export type Change =
  | { readonly type: 'keep' }
  | { readonly type: 'save'; readonly text: string }
  | { readonly type: 'remove'; readonly text: string };

/** Somebody else has held the session for too long. */
export class Busy extends Error {
  override readonly name = 'Busy';

  constructor(
    message: string,
    /** What is saved at the moment. */
    readonly text: string | undefined,
  ) {
    super(message);
  }
}
