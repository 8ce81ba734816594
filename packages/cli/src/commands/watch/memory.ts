import type { RecordedSession } from '@loopfuse/formats';

/** What is known of a session from earlier readings, of whichever file: logs are copied, moved and rewritten. */
export interface KnownSession {
  /** How often an event with this fingerprint was read in one reading. */
  readonly times: Map<number, number>;
  /** Fingerprints of the events that took part in loops that were reported. */
  readonly reported: Set<number>;
}

/** What was read since the watch began, for all files; limited to the latest sessions. */
export interface Memory {
  of(session: RecordedSession): KnownSession;
}

const mostSessions = 4096;

export function createMemory(): Memory {
  const sessions = new Map<string, KnownSession>();
  return {
    of({ agent, id }) {
      const key = `${agent} ${id}`;
      const known = sessions.get(key) ?? { times: new Map(), reported: new Set() };
      sessions.delete(key);
      sessions.set(key, known);
      if (sessions.size > mostSessions) sessions.delete(sessions.keys().next().value!);
      return known;
    },
  };
}
