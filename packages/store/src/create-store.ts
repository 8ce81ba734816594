import { type Backend, Busy, type Change, type Held } from './backend.js';
import { createCopies } from './copies.js';
import { type Envelope, read, write } from './envelope.js';
import { createFaults, isWithin } from './faults.js';
import type { Outcome, SavedSession, Store, StoreOptions, Work } from './store.js';
import { createTurns } from './turns.js';

export const defaultExpirySeconds = 24 * 60 * 60;
export const defaultMostCharacters = 4_000_000;

/** Turns a backend, which may fail, into a store that never fails. */
export function createStore(backend: Backend, options: StoreOptions = {}): Store {
  const { expirySeconds = defaultExpirySeconds, mostCharacters = defaultMostCharacters, waitMs = 5_000 } = options;
  const { pauseMs = 1_000, copies: mostCopies = 1_000, now = Date.now } = options;
  requirePositive('expirySeconds', expirySeconds);
  requirePositive('mostCharacters', mostCharacters);
  requirePositive('waitMs', waitMs);
  const isExpired = (at: number): boolean => now() - at > expirySeconds * 1_000;
  const turns = createTurns();
  const copies = createCopies(mostCopies, isExpired);
  const faults = createFaults(backend.name, options, now);
  let restSince = Number.NEGATIVE_INFINITY;

  async function update<Result>(key: string, work: Work<Result>): Promise<Result> {
    if (typeof key !== 'string' || key === '')
      throw new TypeError(`update: key must be a non-empty string, got ${typeof key === 'string' ? '""' : typeof key}`);
    const end = await turns.take(key, waitMs);
    if (end === undefined) {
      const message = `the session was busy for ${waitMs} ms in this process; this request goes on and is not saved`;
      faults.report('lock', message, new Busy(message, undefined), key);
      return outcomeOf(await work(copies.newer(key, undefined)?.value)).result;
    }
    try {
      return await inTurn(key, work);
    } finally {
      end();
    }
  }

  async function inTurn<Result>(key: string, work: Work<Result>): Promise<Result> {
    const { held, stored, mayKeep } = await acquire(key);
    const current = copies.newer(key, stored) ?? stored;
    let outcome: Outcome<Result>;
    try {
      outcome = outcomeOf(await work(current?.value));
    } catch (error) {
      await finish(key, held, { type: 'keep' });
      throw error;
    }
    await finish(key, held, mayKeep ? changeOf(key, outcome, (current?.version ?? 0) + 1) : { type: 'keep' });
    return outcome.result;
  }

  /** `mayKeep` is false if another caller is working on the session: what it saves must not be overwritten. */
  async function acquire(key: string): Promise<{ held?: Held; stored?: Envelope | undefined; mayKeep: boolean }> {
    if (isWithin(pauseMs, restSince, now())) return { mayKeep: true };
    try {
      const held = await backend.acquire(key, Date.now() + waitMs);
      return { held, stored: parsed(key, held.text), mayKeep: true };
    } catch (cause) {
      if (cause instanceof Busy) {
        faults.report('lock', `${cause.message}; this request goes on and is not saved`, cause, key);
        return { stored: parsed(key, cause.text), mayKeep: false };
      }
      restSince = now();
      faults.report('load', `${messageOf(cause)}; going on with what this process remembers`, cause, key);
      return { mayKeep: true };
    }
  }

  function parsed(key: string, text: string | undefined): Envelope | undefined {
    if (text === undefined) return undefined;
    try {
      const envelope = read(text, key);
      return isExpired(envelope.at) ? undefined : envelope;
    } catch (cause) {
      faults.report('load', `${messageOf(cause)}; the session starts from scratch`, cause, key);
      return undefined;
    }
  }

  function changeOf(key: string, { save, forget }: Outcome<unknown>, version: number): Change {
    if (forget !== true && save === undefined) return { type: 'keep' };
    try {
      const envelope: Envelope = { version, key, at: now(), ...(forget === true ? {} : { value: save }) };
      const text = write(envelope);
      if (text.length > mostCharacters)
        throw new RangeError(`expected at most ${mostCharacters} characters of state, found ${text.length}`);
      copies.keep(envelope, text);
      return { type: forget === true ? 'remove' : 'save', text };
    } catch (cause) {
      faults.report('save', `${messageOf(cause)}; the session keeps its last state`, cause, key);
      return { type: 'keep' };
    }
  }

  async function finish(key: string, held: Held | undefined, change: Change): Promise<void> {
    if (held === undefined) return;
    try {
      await held.finish(change);
      if (change.type !== 'keep') faults.worked();
    } catch (cause) {
      faults.report('save', `${messageOf(cause)}; kept in this process only`, cause, key);
    }
  }

  return {
    update,
    async recent(limit = 100) {
      try {
        const found: SavedSession[] = [];
        for await (const text of backend.recent()) {
          if (found.length >= limit) break;
          found.push(...listed(text).filter(({ at }) => !isExpired(at)));
        }
        return found;
      } catch (cause) {
        faults.report('list', `${messageOf(cause)}; no sessions are listed`, cause);
        return [];
      }
    },
    get health() {
      return faults.health;
    },
    async close() {
      await turns.idle();
      try {
        await backend.close();
      } catch (cause) {
        faults.report('close', messageOf(cause), cause);
      }
    },
  };
}

/** Throws if `work` returns no outcome, for example because of a forgotten `return`: nothing is saved then. */
function outcomeOf<Result>(value: Outcome<Result>): Outcome<Result> {
  if (typeof value === 'object' && value !== null) return value;
  throw new TypeError(
    `update: work must return { result }, with save or forget: true where something changes, got ${value === null ? 'null' : typeof value}`,
  );
}

/** Text that cannot be read is left out here; it is reported at the next work on its session. */
function listed(text: string): SavedSession[] {
  try {
    const { key, at, value } = read(text);
    return value === undefined ? [] : [{ key, at, saved: value }];
  } catch {
    return [];
  }
}

/** The store imports no other package, so that a hook starts quickly. */
function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function requirePositive(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0))
    throw new RangeError(`createStore: ${name} must be a positive number, got ${value}`);
}
