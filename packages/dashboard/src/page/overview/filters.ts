import type { Row } from './row.js';

/** The filters of the overview. A session must match any value of a list, and every list that is not empty. */
export interface Filters {
  readonly agent: readonly string[];
  readonly project: readonly string[];
  readonly author: readonly string[];
  readonly model: readonly string[];
  readonly tool: readonly string[];
  readonly kind: readonly string[];
  /** All words must occur. */
  readonly words: string;
  /** Days such as 2026-01-31, both included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly only: 'everything' | 'loops' | 'suspicions';
  /** The minimum of calls spent in loops. */
  readonly minCalls: number;
}

export const noFilters: Filters = {
  agent: [],
  project: [],
  author: [],
  model: [],
  tool: [],
  kind: [],
  words: '',
  from: undefined,
  to: undefined,
  only: 'everything',
  minCalls: 0,
};

/** A property that the overview can be filtered by. */
export type Facet = 'agent' | 'project' | 'author' | 'model' | 'tool' | 'kind';

export const unknown = 'unknown';

/** The values of a session for a facet. */
export function valuesOf({ session, tools, kinds }: Row, facet: Facet): readonly string[] {
  if (facet === 'tool') return tools;
  if (facet === 'kind') return kinds;
  return [session[facet] ?? unknown];
}

/** The rows that match the filters; `but` is a filter to ignore. */
export function wanted(rows: readonly Row[], filters: Filters, but?: Facet | 'day'): readonly Row[] {
  const tests: ((row: Row) => boolean)[] = [];
  for (const facet of ['agent', 'project', 'author', 'model', 'tool', 'kind'] as const) {
    const chosen = new Set(filters[facet]);
    if (chosen.size > 0 && facet !== but) tests.push((row) => valuesOf(row, facet).some((value) => chosen.has(value)));
  }
  const { from, to, only, minCalls } = filters;
  if (but !== 'day') {
    if (from !== undefined) tests.push(({ day }) => day !== undefined && day >= from);
    if (to !== undefined) tests.push(({ day }) => day !== undefined && day <= to);
  }
  if (only === 'loops') tests.push(({ looping }) => looping.length > 0);
  if (only === 'suspicions') tests.push(({ session, looping }) => session.loops.length > looping.length);
  if (minCalls > 0) tests.push(({ waste, looping }) => looping.length > 0 && waste.calls >= minCalls);
  for (const word of filters.words.toLowerCase().split(/\s+/).filter(Boolean))
    tests.push(({ words }) => words.includes(word));
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

/** The filters with a value of a facet added, or removed if it was there. */
export function toggled(filters: Filters, facet: Facet, value: string): Filters {
  const chosen = filters[facet];
  return {
    ...filters,
    [facet]: chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
  };
}

/** Whether any filter is set. */
export function isNarrowed(filters: Filters): boolean {
  return Object.entries(filters).some(([name, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== noFilters[name as keyof Filters],
  );
}
