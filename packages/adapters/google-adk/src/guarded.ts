import {
  type BaseLlm,
  type BaseTool,
  LLMRegistry,
  type LlmAgentConfig,
  type SingleBeforeToolCallback,
} from '@google/adk';
import { callAction, openSession, type Session, type SessionOptions } from '@loopfuse/session';
import type { Json } from 'loopfuse';
import { LoopLlm } from './model.js';

export interface GuardedOptions extends SessionOptions {
  /** One session for several agents: those that transfer to each other, or a sub-agent's lane. */
  readonly session?: Session;
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: BaseLlm;
}

/**
 * The configuration of an agent with a guard in it: `new LlmAgent(guarded({ name, model, tools }, session))`. It holds the
 * session: make one for each conversation. An agent that takes its model from its parent gets no model here either.
 */
export function guarded<Config extends LlmAgentConfig>(config: Config, given: Session | GuardedOptions = {}): Config {
  const { session: fixed, escalateTo, ...options }: GuardedOptions = 'guard' in given ? { session: given } : given;
  const session = fixed ?? openSession(options);
  const { model, tools, beforeToolCallback: own = [] } = config;
  const llm = typeof model === 'string' ? LLMRegistry.newLlm(model) : model;
  return {
    ...config,
    ...(llm === undefined ? {} : { model: new LoopLlm(llm, session, { escalateTo, approves: true }) }),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => confirmable(tool, session)) }),
    beforeToolCallback: [loopCallback(session), ...[own].flat()],
  };
}

/**
 * The same tool, for which a confirmation can be requested at any call: the SDK accepts an answer only if the tool says
 * that this call needed one. Toolsets make their tools later, and are not changed.
 */
function confirmable<Tool extends object>(tool: Tool, session: Session): Tool {
  if (!('checkRequireConfirmation' in tool)) return tool;
  const asked = tool as unknown as Pick<BaseTool, 'name' | 'checkRequireConfirmation'>;
  const checkRequireConfirmation: BaseTool['checkRequireConfirmation'] = async (args, context) => {
    const id = context?.functionCallId;
    const isAsked = id !== undefined && session.call({ id, tool: asked.name, input: args as Json }).type === 'ask';
    return isAsked || asked.checkRequireConfirmation(args, context);
  };
  return Object.create(tool, { checkRequireConfirmation: { value: checkRequireConfirmation } });
}

/**
 * A callback for `beforeToolCallback`: refuses the calls that the guard refuses, with the reason as their result, and
 * lets the user confirm those for which the guard asks, as a tool with `requireConfirmation` does.
 */
export function loopCallback(session: Session): SingleBeforeToolCallback {
  return async ({ tool, args, context }) => {
    const { functionCallId: id, toolConfirmation } = context;
    if (id === undefined) return undefined;
    const decision = await session.settle(session.call({ id, tool: tool.name, input: args as Json }));
    const action = callAction(decision);
    if (action.type === 'run') return undefined;
    if (action.type === 'refuse') return { error: action.text };
    if (toolConfirmation === undefined) {
      context.requestConfirmation({ hint: action.question.message });
      context.actions.skipSummarization = true;
      return { error: action.text };
    }
    if (!toolConfirmation.confirmed) return { error: action.text };
    if (session.question) session.release({ type: 'continue' });
    return undefined;
  };
}
