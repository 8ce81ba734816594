import type { Envelope } from './envelope.js';

/** The last states of sessions that this process has seen, as text; the least recently saved are dropped first. */
export interface Copies {
  /** The copy, if it is newer than `stored`. The higher version wins: a store that lost its data has the lower one. */
  newer(key: string, stored: Envelope | undefined): Envelope | undefined;
  keep(envelope: Envelope, text: string): void;
}

export function createCopies(most: number, isExpired: (at: number) => boolean): Copies {
  const texts = new Map<string, { readonly version: number; readonly at: number; readonly text: string }>();
  return {
    newer(key, stored) {
      const copy = texts.get(key);
      if (copy === undefined) return undefined;
      if (isExpired(copy.at)) {
        texts.delete(key);
        return undefined;
      }
      return copy.version > (stored?.version ?? 0) ? (JSON.parse(copy.text) as Envelope) : undefined;
    },
    keep({ key, version, at }, text) {
      if (most === 0) return;
      texts.delete(key);
      texts.set(key, { version, at, text });
      const [oldest] = texts.keys();
      if (texts.size > most && oldest !== undefined) texts.delete(oldest);
    },
  };
}
