import { openSession, type Session } from './session.js';
import { requireExitBehavior, type SessionOptions } from './session-options.js';

/** The sessions of an SDK that runs many at once, by the id or the object that stands for each. */
export interface Sessions {
  /** The session of that id or object; if there is none, `open` makes one. */
  get(key: string | object, open?: () => Session): Session;
  /** Forgets a session that is over. */
  delete(key: string | object): void;
}

export interface SessionsOptions {
  /** With more ids than this, the session used least recently is forgotten. Sessions of objects end with the object. */
  readonly most?: number;
}

export function createSessions(options: SessionOptions = {}, { most = 1000 }: SessionsOptions = {}): Sessions {
  if (!Number.isSafeInteger(most) || most < 1)
    throw new RangeError(`createSessions: most must be an integer of at least 1, got ${String(most)}`);
  requireExitBehavior('createSessions', options.exitBehavior);
  const byId = new Map<string, Session>();
  const byObject = new WeakMap<object, Session>();
  return {
    get(key, open = () => openSession(options)) {
      if (typeof key === 'object') {
        const known = byObject.get(key) ?? open();
        byObject.set(key, known);
        return known;
      }
      const known = byId.get(key) ?? open();
      byId.delete(key);
      byId.set(key, known);
      const [oldest] = byId.keys();
      if (byId.size > most && oldest !== undefined) byId.delete(oldest);
      return known;
    },
    delete(key) {
      if (typeof key === 'object') byObject.delete(key);
      else byId.delete(key);
    },
  };
}
