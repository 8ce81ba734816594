import type { Session, SessionOptions } from '@loopfuse/session';
import type { ToolHooks } from '@mastra/core/tools';
import { type LoopProcessor, loopProcessor, type ProcessorOptions } from './processor.js';

/** The settings of an agent that are changed; all others are kept as they are. */
interface Changed {
  readonly inputProcessors?: unknown;
  readonly outputProcessors?: unknown;
  readonly maxProcessorRetries?: number;
  readonly hooks?: ToolHooks;
}

/** How often an answer may be asked for again; the policy of the guard asks for less. */
const retries = 5;

/** The configuration of an agent with a guard in it: `new Agent(guarded({ id, name, instructions, model, tools }))`. */
export function guarded<Config extends object>(
  config: Config,
  given: Session | (SessionOptions & ProcessorOptions) = {},
): Config {
  const { escalateTo } = given as ProcessorOptions;
  const { processor, hooks } = loopProcessor(given, { escalateTo });
  const { inputProcessors, outputProcessors, maxProcessorRetries = retries, hooks: own } = config as Changed;
  return {
    ...config,
    inputProcessors: added(inputProcessors, processor),
    outputProcessors: added(outputProcessors, processor),
    maxProcessorRetries,
    hooks: beside(own, hooks),
  };
}

/** A list of processors may be given or made for each request. */
function added(own: unknown, processor: LoopProcessor['processor']): unknown {
  if (typeof own !== 'function') return [...((own as unknown[] | undefined) ?? []), processor];
  return async (...args: unknown[]) => [...(await own(...args)), processor];
}

/** The host's own hook is asked about the calls that the guard lets run. */
function beside(own: ToolHooks | undefined, ours: ToolHooks): ToolHooks {
  return {
    ...own,
    beforeToolCall: async (context) => (await ours.beforeToolCall?.(context)) ?? (await own?.beforeToolCall?.(context)),
  };
}
