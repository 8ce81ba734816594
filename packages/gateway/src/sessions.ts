import type { Store } from '@loopfuse/store';
import type { AgentEvent, Decision } from 'loopfuse';
import {
  type GuardOptionsFor,
  gravest,
  loadSession,
  openSession,
  type SavedSession,
  type Session,
  type SessionFacts,
  saveSession,
} from './session.js';

/** Where sessions live. Work on a session is synchronous, and nothing else works on it meanwhile. */
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
  /** Whether a person has switched the guard off for it. */
  readonly disabled: boolean;
}

/** One request's access to its session. */
export interface Visit {
  /** Works on the session as everybody sees it. */
  work<Result>(work: (session: Session) => Result): Promise<Result>;
  /** Shows the guard a piece of text at once. What is decided is only sure after the next `work`. */
  glance(event: AgentEvent): Decision;
  /** What was decided about the glances in the last `work`, where somebody else had worked on the session meanwhile. */
  readonly caughtUp: Decision | undefined;
}

export interface LiveOptions {
  readonly optionsFor: GuardOptionsFor;
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
  const sessions = new Map<string, Session>(); // the one that was entered last stands last

  function dropOld(): void {
    for (const [key, { about }] of sessions) {
      if (sessions.size <= mostSessions && now() - about.lastAt <= expirySeconds * 1000) return;
      sessions.delete(key);
    }
  }

  return {
    async enter(key, facts) {
      const session = sessions.get(key) ?? openSession(key, facts(), optionsFor);
      sessions.delete(key);
      sessions.set(key, session);
      dropOld();
      return {
        work: async (work) => work(session),
        glance: (event) => session.guard.observe(event),
        caughtUp: undefined,
      };
    },
    has: async (key) => sessions.has(key),
    list: async (limit = 100) =>
      [...sessions.values()]
        .reverse()
        .slice(0, limit)
        .map(({ key, about, guard }) => ({ key, about, circuit: guard.circuit.state, disabled: guard.disabled })),
    async close() {
      sessions.clear();
    },
  };
}

/** Sessions in a store, which other processes may share. */
export function storedSessions(store: Store, optionsFor: GuardOptionsFor): Sessions {
  return {
    async enter(key, facts) {
      let copy: Session | undefined;
      let caughtUp: Decision | undefined;
      let unsaved: AgentEvent[] = []; // glances since the last work
      return {
        get caughtUp() {
          return caughtUp;
        },
        work: (work) =>
          store.update(key, (saved) => {
            caughtUp = undefined;
            const current = (saved as { revision?: unknown } | undefined)?.revision;
            if (copy === undefined || copy.revision !== current) {
              const known: Session | undefined = loadSession(key, saved, optionsFor);
              // A store that has lost the session, or could not be read, must not make us forget it.
              if (known !== undefined || copy === undefined) {
                const session: Session = known ?? openSession(key, facts(), optionsFor);
                if (copy !== undefined) caughtUp = gravest(unsaved.map((event) => session.guard.observe(event)));
                copy = session;
              }
            }
            unsaved = [];
            const result = work(copy!);
            copy!.revision++;
            return { result, save: saveSession(copy!) };
          }),
        glance(event) {
          if (copy === undefined) return { type: 'allow' };
          unsaved.push(event);
          return copy.guard.observe(event);
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
