import { openSession, type Session, type SessionOptions } from '@loopfuse/session';
import { isStepCount, type LanguageModel, type OutputInterface, type ToolLoopAgentSettings, type ToolSet } from 'ai';
import { loopApproval } from './approval.js';
import { loopPrepareStep, watched } from './prepare-step.js';
import { loopStop } from './stop.js';

/** The settings of `generateText`, `streamText` and `ToolLoopAgent` that are changed; all others are kept unchanged. */
export interface GuardableSettings {
  readonly model: LanguageModel;
  readonly stopWhen?: unknown;
  readonly prepareStep?: unknown;
  readonly toolApproval?: unknown;
  readonly prepareCall?: unknown;
}

export interface GuardedOptions extends SessionOptions {
  /** One session for every run, in place of one for each. */
  readonly session?: Session;
  /** Takes one step when the guard decides to escalate. Without it the model gets a message instead. */
  readonly escalateTo?: LanguageModel;
}

/** The SDK's default for `stopWhen`: one step in `generateText`, twenty in an agent. */
const stepsOfFunction = 1;
const stepsOfAgent = 20;

// biome-ignore lint/suspicious/noExplicitAny: the host's own data for its run; it is not read here
type RuntimeContext = any;
type AgentSettings<CallOptions, Tools extends ToolSet, Shape extends OutputInterface> = ToolLoopAgentSettings<
  CallOptions,
  Tools,
  RuntimeContext,
  Shape
>;

/**
 * Settings with a guard in them: `generateText(guarded({ model, tools, prompt }))`. Every call of a `ToolLoopAgent`
 * made with them is a session of its own, unless a session is given.
 */
export function guarded<
  Settings extends GuardableSettings & ({ readonly prompt: unknown } | { readonly messages: unknown }),
>(settings: Settings, given?: Session | GuardedOptions): Settings;
// Settings of an agent, whose functions (`onStepEnd`, `prepareStep`) get their types from the tools beside them.
export function guarded<
  Settings extends GuardableSettings,
  CallOptions = never,
  // biome-ignore lint/complexity/noBannedTypes: no tools, as in the SDK's own types
  Tools extends ToolSet = {},
  Shape extends OutputInterface = never,
>(
  settings: Settings & AgentSettings<CallOptions, Tools, Shape>,
  given?: Session | GuardedOptions,
): NoInfer<Settings & Pick<AgentSettings<CallOptions, Tools, Shape>, keyof Settings & keyof ToolLoopAgentSettings>>;
// Settings that have the SDK's type already.
export function guarded<CallOptions, Tools extends ToolSet, Shape extends OutputInterface>(
  settings: AgentSettings<CallOptions, Tools, Shape>,
  given?: Session | GuardedOptions,
): AgentSettings<CallOptions, Tools, Shape>;
export function guarded(settings: GuardableSettings, given: Session | GuardedOptions = {}): object {
  const { escalateTo, session: fixed, ...options }: GuardedOptions = 'guard' in given ? { session: given } : given;
  const open = () => fixed ?? openSession(options);
  const { model, stopWhen, prepareStep, toolApproval, prepareCall } = settings;

  function withGuard(call: GuardableSettings, session: Session, steps: number): GuardableSettings {
    return {
      ...call,
      model: watched(call.model, session),
      stopWhen: [loopStop(session), ...[call.stopWhen ?? isStepCount(steps)].flat()],
      prepareStep: loopPrepareStep(session, { escalateTo, own: call.prepareStep }),
      toolApproval: loopApproval(session, call.toolApproval as undefined),
    };
  }

  return {
    ...withGuard(settings, open(), stepsOfFunction),
    // Called by an agent for every run, with the settings above: ours are removed before new ones are set.
    async prepareCall(call: GuardableSettings): Promise<GuardableSettings> {
      const before = { ...call, model, stopWhen, prepareStep, toolApproval };
      const prepared = typeof prepareCall === 'function' ? await prepareCall(before) : before;
      return withGuard(prepared, open(), stepsOfAgent);
    },
  };
}
