import type { Price } from '@loopfuse/prices';

/** The prices by model in a setting. The editor does not validate them, so what is not a price is left out. */
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
