const maxEntries = 4096;

/** Stores answers as a provider does, so that later requests can refer to them by id. The oldest are forgotten. */
export function createStore(): {
  keep(id: string, items: readonly unknown[]): void;
  find(id: string): readonly unknown[] | undefined;
} {
  const entries = new Map<string, readonly unknown[]>();
  return {
    keep(id, items) {
      entries.set(id, items);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    },
    find: (id) => entries.get(id),
  };
}
