import type { Backend } from './backend.js';
import { createStore, defaultExpirySeconds } from './create-store.js';
import type { Store, StoreOptions } from './store.js';

export interface MemoryStoreOptions extends StoreOptions {
  /** If there are more sessions than this, those that were saved longest ago are dropped. */
  readonly mostSessions?: number;
}

/** Keeps sessions in this process, as text. Other processes do not see them, and they are lost when it ends. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  return createStore(memoryBackend(options), { ...options, copies: 0 });
}

function memoryBackend({
  mostSessions = 10_000,
  expirySeconds = defaultExpirySeconds,
  now = Date.now,
}: MemoryStoreOptions): Backend {
  if (!(Number.isSafeInteger(mostSessions) && mostSessions > 0))
    throw new RangeError(`memoryStore: mostSessions must be a positive whole number, got ${mostSessions}`);
  // In the order in which they were saved, so that expired ones come first.
  const sessions = new Map<string, { readonly text: string; readonly at: number }>();

  function dropOld(): void {
    for (const [key, { at }] of sessions) {
      if (sessions.size <= mostSessions && now() - at <= expirySeconds * 1_000) return;
      sessions.delete(key);
    }
  }

  return {
    name: 'memory',
    async acquire(key) {
      dropOld();
      return {
        text: sessions.get(key)?.text,
        async finish(change) {
          if (change.type === 'keep') return;
          sessions.delete(key);
          if (change.type === 'save') sessions.set(key, { text: change.text, at: now() });
          dropOld();
        },
      };
    },
    async *recent() {
      dropOld();
      for (const { text } of [...sessions.values()].reverse()) yield text;
    },
    async close() {
      sessions.clear();
    },
  };
}
