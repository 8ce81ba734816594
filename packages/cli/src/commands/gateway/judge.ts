import type { GatewayOptions } from '@loopfuse/gateway';
import { createPrices } from '@loopfuse/prices';
import type { Command } from 'commander';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';

export interface JudgeFlags {
  readonly judge?: string | undefined;
  readonly judgeUrl?: string | undefined;
}

/** The options for a judge, for the commands with a gateway. */
export function addJudgeFlags(command: Command): Command {
  return command
    .option('--judge <model>', 'ask this model about sessions that look stuck; it gets their messages')
    .option('--judge-url <url>', 'its address, such as http://127.0.0.1:8080/v1 (default: that of its provider)');
}

/**
 * The judge that the flags name. Its key is LOOPFUSE_JUDGE_KEY, or that of its provider, and it is reached through
 * HTTPS_PROXY as upstreams are. The AI SDK is loaded only if there is a judge.
 */
export async function judgeOf({ judge, judgeUrl }: JudgeFlags, env: Shell['env']): Promise<GatewayOptions['judge']> {
  if (judge === undefined) {
    if (judgeUrl === undefined) return undefined;
    throw new UsageError(
      '--judge-url says where the judge is, and --judge is missing. Name the model, for example --judge gpt-5-mini.',
    );
  }
  const [{ createModel }, { proxiedFetch }] = await Promise.all([
    import('@loopfuse/agent'),
    import('@loopfuse/gateway'),
  ]);
  try {
    const apiKey = env.LOOPFUSE_JUDGE_KEY || undefined;
    const { model } = createModel(
      { model: judge, baseURL: judgeUrl, fetch: proxiedFetch(env), ...(apiKey === undefined ? {} : { apiKey }) },
      env,
    );
    const price = createPrices().priceOf(judge);
    return {
      model: model as NonNullable<GatewayOptions['judge']>['model'] & object,
      ...(price === undefined ? {} : { price }),
    };
  } catch (cause) {
    throw new UsageError(`--judge ${judge}: ${(cause as Error).message}`);
  }
}
