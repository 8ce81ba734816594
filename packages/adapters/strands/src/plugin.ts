import { callAction, openSession, type Session, type SessionOptions } from '@loopfuse/session';
import { BeforeToolCallEvent, InvokeModelStage, type JSONValue, type Model, type Plugin } from '@strands-agents/sdk';
import type { Json } from 'loopfuse';
import { loopMiddleware } from './model.js';

export interface LoopPluginOptions extends SessionOptions {
  /** One session for several agents, or a sub-agent's lane. */
  readonly session?: Session;
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: Model;
}

/** A plugin that holds the session of an agent. */
export interface LoopPlugin extends Plugin {
  readonly session: Session;
}

/**
 * A guard for an agent: `new Agent({ model, tools, plugins: [loopPlugin(session)] })`. It holds the session, as the agent
 * holds the messages: make one for each conversation.
 */
export function loopPlugin(given: Session | LoopPluginOptions = {}): LoopPlugin {
  const { session: fixed, escalateTo, ...options }: LoopPluginOptions = 'guard' in given ? { session: given } : given;
  const session = fixed ?? openSession(options);
  return {
    name: 'loopfuse',
    session,
    initAgent(agent) {
      agent.addMiddleware(InvokeModelStage, loopMiddleware(session, { escalateTo }));
      agent.addHook(BeforeToolCallEvent, loopHook(session));
    },
  };
}

/**
 * A hook for `BeforeToolCallEvent`: cancels the calls that the guard refuses, with the reason as their result, and
 * interrupts the agent for those about which a person is to be asked.
 */
export function loopHook(session: Session): (event: BeforeToolCallEvent) => Promise<void> {
  return async (event) => {
    const { toolUseId: id, name: tool, input } = event.toolUse;
    const decision = await session.settle(session.call({ id, tool, input: input as Json }));
    const action = callAction(decision);
    if (action.type === 'run') return;
    if (action.type === 'refuse') event.cancel = action.text;
    // Throws at first, and the agent returns with the question. Resumed with an answer, it comes here again and gets it.
    else if (!isApproval(event.interrupt({ name: 'loopfuse', reason: action.question.message })))
      event.cancel = action.text;
    else if (session.question) session.release({ type: 'continue' });
  };
}

/** The answers that the SDK's own confirmations take for approval. */
function isApproval(response: JSONValue): boolean {
  return response === true || (typeof response === 'string' && ['y', 'yes'].includes(response.trim().toLowerCase()));
}
