import type { Price } from './ask/counsel.js';

/** What a judge has cost so far. */
export interface JudgeSpending {
  /** How many times an opinion was asked for. */
  readonly consultations: number;
  /** How many of these failed. */
  readonly failures: number;
  /** Requests to models: with second attempts and confirmations, up to four in one consultation. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars, if a price is known. */
  readonly cost?: number;
}

export const nothingSpent: JudgeSpending = {
  consultations: 0,
  failures: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
};

export function spendTokens(
  spending: JudgeSpending,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  price: Price | undefined,
): JudgeSpending {
  const spent = {
    ...spending,
    inputTokens: spending.inputTokens + inputTokens,
    outputTokens: spending.outputTokens + outputTokens,
  };
  if (price === undefined) return spent;
  const cost = (inputTokens * price.input + outputTokens * price.output) / 1e6;
  return { ...spent, cost: (spending.cost ?? 0) + cost };
}

/** Spending read back from a snapshot. Throws if it is not valid. */
export function loadSpending(saved: unknown): JudgeSpending {
  const { consultations, failures, calls, inputTokens, outputTokens, cost } = (saved ?? {}) as Partial<JudgeSpending>;
  const counts = [consultations, failures, calls, inputTokens, outputTokens, cost ?? 0];
  if (!counts.every((count) => Number.isFinite(count) && count! >= 0))
    throw new TypeError('every count of spending must be a number of at least 0');
  return {
    consultations: consultations!,
    failures: failures!,
    calls: calls!,
    inputTokens: inputTokens!,
    outputTokens: outputTokens!,
    ...(cost === undefined ? {} : { cost }),
  };
}
