import type { AgentEvent, Json } from 'loopfuse';

/** Fingerprints of the beginning of a session, by which copies of it are recognised whatever their files are called. */
export interface ContentPrint {
  observe(event: AgentEvent): void;
  /** After 1, 2, 4, 8, … events. */
  readonly marks: readonly number[];
}

/** This many events distinguish two sessions. */
const mostEvents = 4096;
/** Characters of a text that are hashed, spread over it. */
const samples = 8;
/** Members of a value that are hashed on each level, and the number of levels. */
const mostMembers = 8;
const mostLevels = 3;

export function createContentPrint(): ContentPrint {
  const marks: number[] = [];
  let events = 0;
  let hash = 0x811c9dc5;

  function number(value: number): void {
    hash = Math.imul(hash ^ (value | 0), 0x01000193);
    hash ^= hash >>> 15;
  }

  function text(value: string): void {
    number(value.length);
    const stride = Math.max(1, Math.floor(value.length / samples));
    for (let k = 0; k < value.length; k += stride) number(value.charCodeAt(k));
  }

  function json(value: Json | undefined, levels: number): void {
    if (typeof value === 'string') text(value);
    else if (typeof value === 'number') number(value);
    else if (typeof value !== 'object' || value === null) number(value === true ? 1 : 2);
    else if (levels > 0) {
      let left = mostMembers;
      for (const key in value) {
        if (left-- <= 0) return;
        text(key);
        json((value as { readonly [key: string]: Json })[key], levels - 1);
      }
    }
  }

  return {
    marks,
    observe(event) {
      if (events >= mostEvents) return;
      for (const key in event) {
        const value = (event as unknown as { readonly [key: string]: Json })[key];
        // Milliseconds since the epoch have more digits than the hash takes in at once.
        if (key === 'at' && typeof value === 'number') number(value / 0x100000000);
        json(value, mostLevels);
      }
      events++;
      if ((events & (events - 1)) === 0) marks.push(hash >>> 0);
    },
  };
}

/** Whether the shorter of two sessions may be the beginning of the longer: their last common mark is equal. */
export function beginAlike(a: readonly number[], b: readonly number[]): boolean {
  const shared = Math.min(a.length, b.length);
  return shared === 0 || a[shared - 1] === b[shared - 1];
}

/** Whether an id was generated at random: a UUID, or a long run of letters and digits. */
export function isUnique(id: string): boolean {
  if (/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.test(id)) return true;
  const [run = ''] = /[a-z0-9]{20,}/i.exec(id) ?? [];
  return run.replace(/\D/g, '').length >= 3;
}
