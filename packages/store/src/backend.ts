/** A place that keeps text by key. It may throw; `createStore` turns it into a store that does not. */
export interface Backend {
  readonly name: string;
  /** Waits for the turn of this caller, and reads. Throws `Busy` if the turn did not come before `deadline`. */
  acquire(key: string, deadline: number): Promise<Held>;
  /** What was saved last, newest first. Removed sessions may be among it. The reader stops when it has enough. */
  recent(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The turn of one caller at one key. `finish` ends it, and must be called once. */
export interface Held {
  readonly text: string | undefined;
  /** Makes the change, but only if the turn still belongs to this caller, and ends the turn. */
  finish(change: Change): Promise<void>;
}

/**
 * The turn of a caller if the place is full or read-only and gives no lock: the saved text can still be read, so that a
 * stopped session does not start from scratch. Throws `cause`, the reason for the missing lock, if reading fails too.
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

/** Another caller has held the session for too long. */
export class Busy extends Error {
  override readonly name = 'Busy';

  constructor(
    message: string,
    /** The text that is saved at the moment. */
    readonly text: string | undefined,
  ) {
    super(message);
  }
}
