import { openSession, type Session, type SessionOptions } from '@loopfuse/session';
import { Agent, Handoff, type Model, type ModelProvider } from '@openai/agents';
import { loopModel } from './model.js';
import { namedModel } from './named-model.js';
import { guardedTool } from './tool.js';

export interface GuardedOptions extends SessionOptions {
  readonly session?: Session;
  /** The provider for agents that name their model; by default the SDK's default provider. */
  readonly modelProvider?: ModelProvider;
  /** The model of the `Runner` for agents without a model, if it has one: it cannot be read from here. */
  readonly model?: string | Model;
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: Model;
}

// biome-ignore lint/suspicious/noExplicitAny: agents of any context and output hand over to each other, as in the SDK's own types
type AnyAgent = Agent<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: the same
type AnyHandoff = Handoff<any, any>;

/**
 * A copy of an agent with a guard in it, and in every agent to which it hands over. Make one for each conversation,
 * because the copy has the session. The agent itself is not changed.
 */
export function guarded<SomeAgent extends AnyAgent>(agent: SomeAgent, given: Session | GuardedOptions = {}): SomeAgent {
  const {
    session = openSession(given as SessionOptions),
    modelProvider,
    model: modelOfRunner = '',
    escalateTo,
  }: GuardedOptions = 'guard' in given ? { session: given } : given;
  const copies = new Map<AnyAgent, AnyAgent>();

  function copyOf(one: AnyAgent): AnyAgent {
    const known = copies.get(one);
    if (known) return known;
    const copy: AnyAgent = one.clone({
      model: loopModel(modelOf(one), session, { approves: true, escalateTo }),
      tools: one.tools.map((tool) => guardedTool(tool, session)),
    });
    copies.set(one, copy); // before its handoffs, which may refer to it
    copy.handoffs = one.handoffs.map((handoff) => (handoff instanceof Agent ? copyOf(handoff) : handoffTo(handoff)));
    // An agent without its own tools has those of its stored prompt.
    copy.hasExplicitToolConfig = () => one.hasExplicitToolConfig();
    const getMcpTools = copy.getMcpTools.bind(copy);
    copy.getMcpTools = async (...args) =>
      (await getMcpTools(...args)).map((tool) => guardedTool(tool, session) as typeof tool);
    const emit = copy.emit.bind(copy);
    copy.emit = (...args) => {
      const hasListener = one.emit(...args); // listeners of the agent get the events of its copy
      return emit(...args) || hasListener;
    };
    return copy;
  }

  function modelOf(agent: AnyAgent): Model {
    const chosen = agent.model === '' ? modelOfRunner : agent.model;
    if (typeof chosen !== 'string') return chosen;
    return namedModel(chosen, { provider: modelProvider, hasSettings: hasSettings(agent) });
  }

  function handoffTo(handoff: AnyHandoff): AnyHandoff {
    const copy: AnyHandoff = Object.assign(Object.create(Handoff.prototype), handoff);
    copy.onInvokeHandoff = async (context, input) => copyOf(await handoff.onInvokeHandoff(context, input));
    return copy;
  }

  return copyOf(agent) as SomeAgent;
}

/** Not in the SDK's types. If it is unknown, no settings are added to those of the agent. */
function hasSettings(agent: AnyAgent): boolean {
  return (agent as { hasExplicitModelSettings?(): boolean }).hasExplicitModelSettings?.() ?? true;
}
