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

/** How a session is called: by its title where it has one. */
export function nameOf({ title, id }: { readonly title?: string; readonly id: string }): string {
  return title?.trim() || id;
}

/** In order; what is not known comes last either way, equals stay as they stood. */
export function sorted(rows: readonly Row[], { by, descending }: Sort): readonly Row[] {
  const key = keys[by];
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: key(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return a.value < b.value ? -sign : a.value > b.value ? sign : 0;
    })
    .map(({ row }) => row);
}
