import { noUsage } from '../client/state.js';
import type { Session } from '../session/session.js';

/** A session in which nothing has happened yet. */
export function session(more: Partial<Session> = {}): Session {
  return {
    version: 1,
    id: 'one',
    root: '/project',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    model: 'm',
    turns: 0,
    history: [],
    usage: noUsage,
    ...more,
  };
}
