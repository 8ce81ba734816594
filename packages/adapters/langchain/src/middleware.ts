import { isGraphBubbleUp } from '@langchain/langgraph';
import {
  createSessions,
  openSession,
  type Session,
  type SessionOptions,
  type SessionSnapshot,
} from '@loopfuse/session';
import { createMiddleware, type ModelRequest, type ToolCallRequest, ToolInvocationError } from 'langchain';
import { z } from 'zod';
import { guardModelCall, guardToolCall } from './calls.js';

export interface LoopMiddlewareOptions extends SessionOptions {
  /** One session for every run, in place of one for each thread. */
  readonly session?: Session;
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: ModelRequest['model'];
}

/** The session's key and snapshot in the state of the graph, and so in its checkpoints. */
interface Saved {
  readonly key: string;
  readonly snapshot?: SessionSnapshot;
  /** The id of the snapshot. */
  readonly id?: string;
}

/** A key that begins with an underscore is kept in the state and is not part of inputs and outputs. */
const stateSchema = z.object({ _loopfuse: z.custom<Saved>().optional() });

/**
 * A middleware for `createAgent`. Each thread is a session; a run without a thread is a session of its own. The session
 * is kept in the checkpoints of the graph, so that a thread can continue in another process.
 */
export function loopMiddleware(options: LoopMiddlewareOptions = {}) {
  const { session: fixed, escalateTo, ...sessionOptions } = options;
  const sessions = createSessions(sessionOptions);
  const saves = new WeakMap<Session, string>();

  /**
   * A session in memory is used only with the checkpoint that it wrote: the thread may have continued elsewhere, or
   * been reset.
   */
  function sessionOf({ key, snapshot, id }: Saved): Session {
    if (fixed) return fixed;
    const open = () => {
      const opened = openSession(snapshot ? { ...sessionOptions, snapshot } : sessionOptions);
      if (id !== undefined) saves.set(opened, id);
      return opened;
    };
    const session = sessions.get(key, open);
    if (saves.get(session) === id) return session;
    sessions.delete(key);
    return sessions.get(key, open);
  }

  return createMiddleware({
    name: 'LoopMiddleware',
    stateSchema,
    beforeAgent({ _loopfuse }, runtime) {
      return { _loopfuse: { ..._loopfuse, key: keyOf(runtime) ?? `run ${crypto.randomUUID()}` } };
    },
    wrapModelCall(request, handler) {
      const session = sessionOf(savedIn(request.state, request.runtime));
      const asked = (model: typeof request.model) => (messages: typeof request.messages) =>
        handler({ ...request, model, messages });
      return guardModelCall(session, request.messages, asked(request.model), escalateTo && asked(escalateTo));
    },
    wrapToolCall: (request, handler) =>
      guardToolCall(sessionOf(savedIn(request.state, request.runtime)), request.toolCall, async () => {
        try {
          return await handler(request);
        } catch (error) {
          throw forTheModel(error, request.toolCall);
        }
      }),
    afterModel(state, runtime) {
      const saved = savedIn(state, runtime);
      if (fixed || !saved.key.startsWith('thread ')) return;
      const session = sessionOf(saved);
      const id = crypto.randomUUID();
      saves.set(session, id);
      return { _loopfuse: { ...saved, id, snapshot: session.snapshot() } };
    },
    afterAgent({ _loopfuse }) {
      if (_loopfuse?.key.startsWith('run ')) sessions.delete(_loopfuse.key);
    },
  });
}

interface Running {
  readonly configurable?: { readonly thread_id?: unknown } | undefined;
}

function keyOf({ configurable }: Running): string | undefined {
  const thread = configurable?.thread_id;
  return thread === undefined ? undefined : `thread ${thread}`;
}

/** A thread that was interrupted before the guard was added is resumed without our key in its state. */
function savedIn({ _loopfuse }: { readonly _loopfuse?: Saved | undefined }, runtime: Running): Saved {
  return _loopfuse ?? { key: keyOf(runtime) ?? '' };
}

/**
 * An error of a tool goes to the model, and the run continues. But with any middleware around the calls, the SDK ends
 * the run unless the error is marked as one for the model. So the error gets this mark and is otherwise unchanged, so
 * that an outer middleware that retries some errors recognises them.
 */
function forTheModel(error: unknown, call: ToolCallRequest['toolCall']): unknown {
  if (isGraphBubbleUp(error)) return error; // an interrupt, for example
  if (!(error instanceof Error)) return new ToolInvocationError(error, call);
  if ('~brand' in error) return error; // marked already, or an error of another middleware
  if (!Object.isExtensible(error)) return new ToolInvocationError(error, call);
  return Object.defineProperty(error, '~brand', { value: 'ToolInvocationError' });
}
