import type { Price } from '@loopfuse/prices';

/** The prices by model that a setting names. The editor hands out whatever is written there: what is no price is left out. */
export function pricesIn(setting: unknown): { readonly [model: string]: Price } {
  if (typeof setting !== 'object' || setting === null) return {};
  return Object.fromEntries(
    Object.entries(setting).flatMap(([model, value]) => {
      const { input, output, cached = input } = (value ?? {}) as Partial<Record<keyof Price, unknown>>;
      return isPrice(input) && isPrice(output) && isPrice(cached) ? [[model, { input, output, cached }] as const] : [];
    }),
  );
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
