import type { Usage } from '@loopfuse/agent';
import { costAt, type Price } from '@loopfuse/prices';

/** What a conversation has cost in dollars; `undefined` where the price of the model is not known. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  return price === undefined ? undefined : costAt(price, usage);
}

/** What a loop has cost, at what a token has cost in this session on average; `undefined` where that is not known. */
export function costOfLoop(
  { tokens }: { readonly tokens: number },
  usage: Usage,
  cost: number | undefined,
): number | undefined {
  const all = usage.inputTokens + usage.outputTokens;
  return cost === undefined || all === 0 || tokens === 0 ? undefined : (cost * tokens) / all;
}
