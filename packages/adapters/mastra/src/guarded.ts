import type { Session, SessionOptions } from '@loopfuse/session';
import type { RequireToolApproval, RequireToolApprovalFn, ToolHooks } from '@mastra/core/tools';
import { type LoopProcessor, loopProcessor, type ProcessorOptions } from './processor.js';

/** The settings of an agent that are changed; all others are kept unchanged. */
interface Changed {
  readonly inputProcessors?: unknown;
  readonly outputProcessors?: unknown;
  readonly maxProcessorRetries?: number;
  readonly hooks?: ToolHooks;
  readonly defaultOptions?: unknown;
}

export interface GuardedOptions extends SessionOptions, ProcessorOptions {
  /** One session for every request, in place of one for each. */
  readonly session?: Session;
}

/** The most retries of an answer; the policy of the guard needs fewer. */
const retries = 5;

/** The configuration of an agent with a guard in it: `new Agent(guarded({ id, name, instructions, model, tools }))`. */
export function guarded<Config extends object>(config: Config, given: Session | GuardedOptions = {}): Config {
  const { session, escalateTo, approves, ...options }: GuardedOptions = 'guard' in given ? { session: given } : given;
  const { processor, hooks, requireToolApproval } = loopProcessor(session ?? options, { escalateTo, approves });
  const {
    inputProcessors,
    outputProcessors,
    maxProcessorRetries = retries,
    hooks: own,
    defaultOptions,
  } = config as Changed;
  return {
    ...config,
    inputProcessors: added(inputProcessors, processor),
    outputProcessors: added(outputProcessors, processor),
    maxProcessorRetries,
    hooks: beside(own, hooks),
    ...(approves ? { defaultOptions: approving(defaultOptions, requireToolApproval) } : {}),
  };
}

/** The processors may be a list, or a function that makes one for each request. */
function added(own: unknown, processor: LoopProcessor['processor']): unknown {
  if (typeof own !== 'function') return [...((own as unknown[] | undefined) ?? []), processor];
  return async (...args: unknown[]) => [...(await own(...args)), processor];
}

/**
 * The host's own approvals still apply; its options may be an object, or a function that makes one for each request.
 */
function approving(own: unknown, ours: RequireToolApprovalFn): unknown {
  const beside = (options: { requireToolApproval?: RequireToolApproval } = {}) => {
    const { requireToolApproval: theirs = false } = options;
    const requireToolApproval: RequireToolApprovalFn = async (call) =>
      (await ours(call)) || (typeof theirs === 'function' ? await theirs(call) : theirs);
    return { ...options, requireToolApproval };
  };
  if (typeof own !== 'function') return beside(own as object | undefined);
  return async (...args: unknown[]) => beside(await own(...args));
}

/** The host's own hook is called for the calls that the guard lets run. */
function beside(own: ToolHooks | undefined, ours: ToolHooks): ToolHooks {
  return {
    ...own,
    beforeToolCall: async (context) => (await ours.beforeToolCall?.(context)) ?? (await own?.beforeToolCall?.(context)),
  };
}
