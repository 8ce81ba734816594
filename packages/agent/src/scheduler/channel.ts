/** A queue with one writer and one reader. Reading ends when the queue is closed and empty. */
export interface Channel<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  close(): void;
}

export function createChannel<Item>(): Channel<Item> {
  const items: Item[] = [];
  let closed = false;
  let wake: (() => void) | undefined;
  const stir = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(item) {
      if (closed) return;
      items.push(item);
      stir();
    },
    close() {
      closed = true;
      stir();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift()!;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
