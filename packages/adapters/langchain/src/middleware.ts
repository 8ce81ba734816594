import {
  createSessions,
  openSession,
  type Session,
  type SessionOptions,
  type SessionSnapshot,
} from '@loopfuse/session';
import { createMiddleware, type ModelRequest } from 'langchain';
import { type Policy, unattended } from 'loopfuse';
import { z } from 'zod';
import { guardModelCall, guardToolCall } from './calls.js';

export interface LoopMiddlewareOptions extends Omit<SessionOptions, 'exitBehavior'> {
  /**
   * What to do when the guard stops the run. `end` (the default) ends it with the reason as the last message; `error`
   * throws a `LoopError`; `continue` refuses the call and lets the model decide when to end, for ever.
   */
  readonly exitBehavior?: 'continue' | 'error' | 'end';
  /** One session for every run, in place of one for each thread. */
  readonly session?: Session;
  /** Takes one turn when the guard decides to escalate. Without it the model is told instead. */
  readonly escalateTo?: ModelRequest['model'];
}

/** In the state of the graph, and so in its checkpoints: which session it is, and how it stood. */
interface Saved {
  readonly key: string;
  readonly snapshot?: SessionSnapshot;
}

/** A key that begins with an underscore is kept in the state and given to nobody. */
const stateSchema = z.object({ _loopfuse: z.custom<Saved>().optional() });

/**
 * A middleware for `createAgent`. Each thread is a session; a run without a thread is a session of its own. The session
 * is kept in the checkpoints of the graph, so that a thread goes on with it in another process.
 */
export function loopMiddleware(options: LoopMiddlewareOptions = {}) {
  const { exitBehavior = 'end', session: fixed, escalateTo, policy = unattended, ...rest } = options;
  if (!['continue', 'error', 'end'].includes(exitBehavior))
    throw new RangeError(
      `loopMiddleware: exitBehavior must be continue, error or end, got ${JSON.stringify(exitBehavior)}`,
    );
  const sessionOptions: SessionOptions = {
    ...rest,
    policy: exitBehavior === 'continue' ? neverStopping(policy) : policy,
    exitBehavior: exitBehavior === 'error' ? 'error' : 'end',
  };
  const sessions = createSessions(sessionOptions);

  function sessionOf(saved: Saved | undefined): Session {
    if (fixed) return fixed;
    const { key, snapshot } = saved ?? { key: '' };
    return sessions.get(key, () => openSession(snapshot ? { ...sessionOptions, snapshot } : sessionOptions));
  }

  return createMiddleware({
    name: 'LoopMiddleware',
    stateSchema,
    beforeAgent({ _loopfuse }, { configurable }) {
      const thread = configurable?.thread_id;
      return {
        _loopfuse: { ..._loopfuse, key: thread === undefined ? `run ${crypto.randomUUID()}` : `thread ${thread}` },
      };
    },
    wrapModelCall(request, handler) {
      const session = sessionOf(request.state._loopfuse);
      return guardModelCall(session, request.messages, (messages) => {
        const model = escalateTo && session.takeEscalation() ? escalateTo : request.model;
        return handler({ ...request, model, messages });
      });
    },
    wrapToolCall: (request, handler) =>
      guardToolCall(sessionOf(request.state._loopfuse), request.toolCall, () => handler(request)),
    afterModel({ _loopfuse }) {
      if (fixed || !_loopfuse?.key.startsWith('thread ')) return;
      return { _loopfuse: { ..._loopfuse, snapshot: sessionOf(_loopfuse).snapshot() } };
    },
    afterAgent({ _loopfuse }) {
      if (_loopfuse?.key.startsWith('run ')) sessions.delete(_loopfuse.key);
    },
  });
}

/** A stop becomes a refusal of the call, or a message where there is no call. */
function neverStopping(policy: Policy): Policy {
  return (trip) => {
    const decision = policy(trip);
    if (decision.type !== 'stop') return decision;
    return { type: trip.refusable ? 'block' : 'steer', message: trip.advice, findings: trip.findings };
  };
}
