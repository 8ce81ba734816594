/** The turns of callers at each key in this process: one after another, in the order in which they came. */
export interface Turns {
  /** Resolves to the function that ends the turn, or to undefined if the turn did not come in time. */
  take(key: string, waitMs: number): Promise<(() => void) | undefined>;
  /** Resolves when no caller has a turn or waits for one. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();

  return {
    async take(key, waitMs) {
      const before = last.get(key);
      let end: () => void = () => {};
      const own = new Promise<void>((resolve) => {
        end = resolve;
      });
      const tail = before === undefined ? own : before.then(() => own);
      last.set(key, tail);
      const finish = (): void => {
        end();
        if (last.get(key) === tail) last.delete(key);
      };
      if (before === undefined || (await arrives(before, waitMs))) return finish;
      finish(); // Gives up its place; callers after it still wait for those before it.
      return undefined;
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

async function arrives(turn: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, waitMs, false);
  });
  try {
    return await Promise.race([turn.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
