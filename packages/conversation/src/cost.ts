import type { Usage } from '@loopfuse/agent';
import { costAt, isNothing, type Price, tokensBeside } from '@loopfuse/prices';

/** What was used at earlier prices, before another model was chosen. */
export interface Paid {
  readonly usage: Usage;
  /** Absent where one of the prices was not known. */
  readonly cost?: number | undefined;
}

/** What a cost is computed from. */
export interface Spent {
  readonly usage: Usage;
  /** Of the model in use; absent where that is not known. */
  readonly price?: Price | undefined;
  readonly paid?: Paid | undefined;
}

/** What a conversation has cost in dollars; `undefined` where the price of a model is not known. */
export function costOf({ usage, price, paid }: Spent): number | undefined {
  if (paid === undefined) return price === undefined ? undefined : costAt(price, usage);
  const since = tokensBeside(usage, [{ ...paid.usage, model: '' }]);
  if (isNothing(since)) return paid.cost;
  return price === undefined || paid.cost === undefined ? undefined : paid.cost + costAt(price, since);
}

/**
 * What was paid before the price changed. `undefined` where nothing was used, or where the usage is that of another
 * session. A price that replaces an unknown one is taken to hold for earlier usage too.
 */
export function paidBy(before: Spent, now: Spent): Paid | undefined {
  const { usage, paid } = before;
  if (isNothing(usage) || now.usage.inputTokens < usage.inputTokens) return undefined;
  const isSame = before.price === undefined || isSamePrice(before.price, now.price);
  return isSame ? paid : { usage, cost: costOf(before) };
}

function isSamePrice(a: Price, b: Price | undefined): boolean {
  return (
    a === b || (['input', 'output', 'cached', 'written', 'writtenLong'] as const).every((key) => a[key] === b?.[key])
  );
}

/** What a loop has cost, by the average cost of a token in this session; `undefined` where that is not known. */
export function costOfLoop(
  { tokens }: { readonly tokens: number },
  usage: Usage,
  cost: number | undefined,
): number | undefined {
  const all = usage.inputTokens + usage.outputTokens;
  return cost === undefined || all === 0 || tokens === 0 ? undefined : (cost * tokens) / all;
}
