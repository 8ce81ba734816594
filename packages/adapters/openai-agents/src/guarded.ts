import { openSession, type Session, type SessionOptions } from '@loopfuse/session';
import { Agent, Handoff, type Model, type ModelProvider, Runner } from '@openai/agents';
import { loopModel } from './model.js';
import { guardedTool } from './tool.js';

export interface GuardedOptions extends SessionOptions {
  readonly session?: Session;
  /** Where the model of an agent that names one is found; the default provider of the SDK if not given. */
  readonly modelProvider?: ModelProvider;
  /** Takes one turn when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: Model;
}

// biome-ignore lint/suspicious/noExplicitAny: agents of any context and output hand over to each other, as in the SDK's own types
type AnyAgent = Agent<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: the same
type AnyHandoff = Handoff<any, any>;

/**
 * A copy of an agent with a guard in it, and in every agent it hands over to. Make one for each conversation: it holds
 * the session. The agent itself is not changed.
 */
export function guarded<SomeAgent extends AnyAgent>(agent: SomeAgent, given: Session | GuardedOptions = {}): SomeAgent {
  const {
    session = openSession(given as SessionOptions),
    modelProvider,
    escalateTo,
  } = 'guard' in given ? { session: given } : given;
  const copies = new Map<AnyAgent, AnyAgent>();

  function copyOf(one: AnyAgent): AnyAgent {
    const known = copies.get(one);
    if (known) return known;
    const model = typeof one.model === 'string' ? namedModel(one.model, modelProvider) : one.model;
    const copy: AnyAgent = one.clone({
      model: loopModel(model, session, { approves: true, escalateTo }),
      tools: one.tools.map((tool) => guardedTool(tool, session)),
    });
    copies.set(one, copy); // before its handoffs, which may lead back to it
    copy.handoffs = one.handoffs.map((handoff) => (handoff instanceof Agent ? copyOf(handoff) : handoffTo(handoff)));
    return copy;
  }

  function handoffTo(handoff: AnyHandoff): AnyHandoff {
    const copy: AnyHandoff = Object.assign(Object.create(Handoff.prototype), handoff);
    copy.onInvokeHandoff = async (context, input) => copyOf(await handoff.onInvokeHandoff(context, input));
    return copy;
  }

  return copyOf(agent) as SomeAgent;
}

/** The model of that name, looked up when it is first asked: a provider need not be there before. */
function namedModel(name: string, provider: ModelProvider | undefined): Model {
  let found: Promise<Model> | undefined;
  const find = () => {
    found ??= Promise.resolve((provider ?? new Runner().config.modelProvider).getModel(name === '' ? undefined : name));
    return found;
  };
  return {
    getResponse: async (request) => (await find()).getResponse(request),
    async *getStreamedResponse(request) {
      yield* (await find()).getStreamedResponse(request);
    },
  };
}
