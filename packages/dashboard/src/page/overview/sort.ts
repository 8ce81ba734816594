import type { Row } from './row.js';

export type SortKey = 'title' | 'agent' | 'when' | 'loops' | 'calls' | 'tokens' | 'cost' | 'minutes';

export interface Sort {
  readonly by: SortKey;
  readonly descending: boolean;
}

const keys: { readonly [key in SortKey]: (row: Row) => number | string | undefined } = {
  title: ({ session }) => nameOf(session).toLowerCase(),
  agent: ({ session }) => session.agent,
  when: ({ at }) => at,
  loops: ({ looping, session }) => looping.length + session.loops.length / 1000,
  calls: ({ waste, looping }) => (looping.length > 0 ? waste.calls : undefined),
  tokens: ({ waste }) => waste.tokens,
  cost: ({ waste }) => waste.cost,
  minutes: ({ waste }) => waste.minutes,
};

export function isSortKey(value: unknown): value is SortKey {
  return typeof value === 'string' && Object.hasOwn(keys, value);
}

/** The name of a session: its title, or else its id. */
export function nameOf({ title, id }: { readonly title?: string; readonly id: string }): string {
  return title?.trim() || id;
}

/**
 * The rows in order. Unknown values come last in both directions, and equal rows keep their order. Rows with an unknown cost are
 * ordered by tokens, then by calls.
 */
export function sorted(rows: readonly Row[], { by, descending }: Sort): readonly Row[] {
  const sign = descending ? -1 : 1;
  const order = by === 'cost' ? [keys.cost, keys.tokens, keys.calls] : [keys[by]];
  return rows
    .map((row) => ({ row, values: order.map((key) => key(row)) }))
    .sort((a, b) => {
      for (const [k, one] of a.values.entries()) {
        const other = b.values[k];
        if (one === other) continue;
        if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
        return one < other ? -sign : sign;
      }
      return 0;
    })
    .map(({ row }) => row);
}
