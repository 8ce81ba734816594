import { openSession, type Session, type SessionOptions } from '@loopfuse/session';
import { isStepCount, type LanguageModel } from 'ai';
import { loopApproval } from './approval.js';
import { loopPrepareStep, watched } from './prepare-step.js';
import { loopStop } from './stop.js';

/** The settings of `generateText`, `streamText` and `ToolLoopAgent` that are changed; all others are kept as they are. */
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

/** What the SDK does without `stopWhen`: one step in `generateText`, twenty in an agent. */
const stepsOfFunction = 1;
const stepsOfAgent = 20;

/**
 * Settings with a guard in them: `generateText(guarded({ model, tools, prompt }))`. Every call of a `ToolLoopAgent`
 * made with them is a session of its own, unless a session is given.
 */
export function guarded<Settings extends GuardableSettings>(
  settings: Settings,
  given: Session | GuardedOptions = {},
): Settings {
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
    // Called by an agent for every run, with the settings above: ours are taken out again before they are set again.
    async prepareCall(call: GuardableSettings): Promise<GuardableSettings> {
      const before = { ...call, model, stopWhen, prepareStep, toolApproval };
      const prepared = typeof prepareCall === 'function' ? await prepareCall(before) : before;
      return withGuard(prepared, open(), stepsOfAgent);
    },
  } as unknown as Settings;
}
