import type { Store } from '@loopfuse/store';
import type { AgentEvent, Decision } from 'loopfuse';
import {
  gravest,
  loadSession,
  openSession,
  type SavedSession,
  type Session,
  type SessionFacts,
  type SessionOptionsFor,
  saveSession,
} from './session.js';

/** Where sessions are kept. Work on a session is synchronous, and nothing else works on it at the same time. */
export interface Sessions {
  enter(key: string, facts: () => SessionFacts): Promise<Visit>;
  has(key: string): Promise<boolean>;
  /** The sessions that were worked on last, newest first. */
  list(limit?: number): Promise<readonly ListedSession[]>;
  close(): Promise<void>;
}

export interface ListedSession {
  readonly key: string;
  readonly about: SessionFacts;
  /** The state of its circuit: closed, probation or open. */
  readonly circuit: string;
  /** Whether the operator has switched off the guard for it. */
  readonly disabled: boolean;
}

/** One request's access to its session. */
export interface Visit {
  /** Works on the current state of the session, which all requests share. */
  work<Result>(work: (session: Session) => Result): Promise<Result>;
  /** Shows the guard a piece of text at once. Its decision is only final after the next `work`. */
  glance(event: AgentEvent): Decision;
  /** The decision on the glances, made again in the last `work` if other work had changed the session meanwhile. */
  readonly caughtUp: Decision | undefined;
}

export interface LiveOptions {
  readonly optionsFor: SessionOptionsFor;
  readonly mostSessions?: number;
  readonly expirySeconds?: number;
  readonly now?: () => number;
}

/** Sessions of this process only, with their guards alive: nothing is saved and nothing is loaded. */
export function liveSessions({
  optionsFor,
  mostSessions = 10_000,
  expirySeconds = 24 * 60 * 60,
  now = Date.now,
}: LiveOptions): Sessions {
  const sessions = new Map<string, Session>(); // in the order of use, the latest last

  function dropExpired(): void {
    for (const [key, { about }] of sessions) {
      if (now() - about.lastAt <= expirySeconds * 1000) return;
      sessions.delete(key);
    }
  }

  return {
    async enter(key, facts) {
      dropExpired(); // first, or the session that is entered would be dropped while it is worked on
      const session = sessions.get(key) ?? openSession(key, facts(), optionsFor);
      sessions.delete(key);
      sessions.set(key, session);
      const [oldest] = sessions.keys();
      if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
      return {
        work: async (work) => work(session),
        glance: (event) => session.guard.observe(event),
        caughtUp: undefined,
      };
    },
    async has(key) {
      dropExpired();
      return sessions.has(key);
    },
    async list(limit = 100) {
      dropExpired();
      return [...sessions.values()]
        .reverse()
        .slice(0, limit)
        .map(({ key, about, guard }) => ({ key, about, circuit: guard.circuit.state, disabled: guard.disabled }));
    },
    async close() {
      sessions.clear();
    },
  };
}

/** A session of a store that was worked on in this process, with its live guard. */
interface Hot {
  session: Session | undefined;
  /** Events shown by `glance` since the last `work`. */
  unsaved: AgentEvent[];
}

/** This many sessions of a store stay live here: they need not be loaded until another process saves them. */
const mostHot = 1_000;

/** Sessions in a store, which other processes may share. */
export function storedSessions(store: Store, optionsFor: SessionOptionsFor): Sessions {
  const hot = new Map<string, Hot>(); // in the order of use, the latest last

  function hotOf(key: string): Hot {
    const known = hot.get(key) ?? { session: undefined, unsaved: [] };
    hot.delete(key);
    hot.set(key, known);
    const [oldest] = hot.keys();
    if (hot.size > mostHot && oldest !== undefined) hot.delete(oldest);
    return known;
  }

  return {
    async enter(key, facts) {
      const own = hotOf(key);
      let caughtUp: Decision | undefined;
      let worked = false;
      return {
        get caughtUp() {
          return caughtUp;
        },
        work: (work) =>
          store.update(key, (saved) => {
            caughtUp = undefined;
            const current = (saved as { revision?: unknown } | undefined)?.revision;
            if (own.session === undefined || own.session.revision !== current) {
              const known: Session | undefined = loadSession(key, saved, optionsFor);
              // If the store loses the session during a request, we keep ours.
              if (known !== undefined || own.session === undefined || !worked) {
                const session: Session = known ?? openSession(key, facts(), optionsFor);
                if (own.unsaved.length > 0)
                  caughtUp = gravest(own.unsaved.map((event) => session.guard.observe(event)));
                own.session = session;
              }
            }
            worked = true;
            own.unsaved = [];
            const result = work(own.session);
            own.session.revision = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
            return { result, save: saveSession(own.session) };
          }),
        glance(event) {
          if (own.session === undefined) return { type: 'allow' };
          own.unsaved.push(event);
          return own.session.guard.observe(event);
        },
      };
    },
    has: (key) => store.update(key, (saved) => ({ result: saved !== undefined })),
    async list(limit) {
      const found = await store.recent(limit);
      return found.flatMap(({ key, saved }) => {
        const { about, guard } = (saved ?? {}) as Partial<SavedSession>;
        if (about === undefined) return [];
        return [{ key, about, circuit: String(guard?.circuit?.state), disabled: guard?.disabled === true }];
      });
    },
    close: () => store.close(),
  };
}
