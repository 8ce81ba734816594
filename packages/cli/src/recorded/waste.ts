import type { Prices } from './prices.js';
import type { LoopReport, SessionReport } from './session-report.js';
import type { Spent } from './spending.js';

/** What loops used up. What is not known is undefined, never zero. */
export interface PricedWaste {
  readonly calls: number;
  readonly characters: number;
  readonly tokens: number;
  /** In dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}

/** A stretch of a session with what it came to in money and time, as far as that is known. */
export function priced(spent: Spent, model: string | undefined, prices: Prices): PricedWaste {
  const cost = prices.costOf(spent, model);
  const { calls, characters, minutes } = spent;
  return {
    calls,
    characters,
    tokens: spent.inputTokens + spent.outputTokens,
    ...(cost === undefined ? {} : { cost: rounded(cost, 6) }),
    ...(minutes === undefined ? {} : { minutes: rounded(minutes, 3) }),
  };
}

/** All loops of a session together; undefined when there is none. Cost and time are those of the loops that have them. */
export function wasteOf({ session, loops }: SessionReport, prices: Prices): PricedWaste | undefined {
  const looping = loops.filter(isLooping);
  if (looping.length === 0) return undefined;
  return sum(looping.map((loop) => priced(loop.spentUntil, session.model, prices)));
}

export function isLooping({ finding }: LoopReport): boolean {
  return finding.status === 'looping';
}

export function sum(wastes: readonly PricedWaste[]): PricedWaste {
  const cost = sumOfKnown(wastes.map((one) => one.cost));
  const minutes = sumOfKnown(wastes.map((one) => one.minutes));
  return {
    calls: wastes.reduce((total, { calls }) => total + calls, 0),
    characters: wastes.reduce((total, { characters }) => total + characters, 0),
    tokens: wastes.reduce((total, { tokens }) => total + tokens, 0),
    ...(cost === undefined ? {} : { cost: rounded(cost, 6) }),
    ...(minutes === undefined ? {} : { minutes: rounded(minutes, 3) }),
  };
}

function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
