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

/** A plugin with the session of an agent. */
export interface LoopPlugin extends Plugin {
  readonly session: Session;
}

/**
 * A guard for an agent: `new Agent({ model, tools, plugins: [loopPlugin(session)] })`. It has the session, as the agent
 * has the messages: make one for each conversation.
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
 * interrupts the agent for those about which the user must be asked.
 */
export function loopHook(session: Session): (event: BeforeToolCallEvent) => Promise<void> {
  return async (event) => {
    const { toolUseId: id, name: tool, input } = event.toolUse;
    const decision = await session.settle(session.call({ id, tool, input: input as Json }));
    const action = callAction(decision);
    if (action.type === 'run') return;
    if (action.type === 'refuse') event.cancel = action.text;
    // `interrupt` throws first, and the agent returns with the question. After resuming, it returns the answer here.
    else if (!isApproval(event.interrupt({ name: 'loopfuse', reason: action.question.message })))
      event.cancel = action.text;
    else if (session.question) session.release({ type: 'continue' });
  };
}

/** Whether an answer is one that the SDK's own confirmations count as approval. */
function isApproval(response: JSONValue): boolean {
  return response === true || (typeof response === 'string' && ['y', 'yes'].includes(response.trim().toLowerCase()));
}
