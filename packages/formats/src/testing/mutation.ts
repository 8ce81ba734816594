import fc from 'fast-check';
import type { Json } from 'loopfuse';

/** One change that damages a list of records. The numbers choose places; every number chooses some place. */
export type Mutation =
  | { readonly type: 'drop'; readonly at: number }
  | { readonly type: 'double'; readonly at: number }
  | { readonly type: 'cut'; readonly at: number }
  | { readonly type: 'swap'; readonly at: number; readonly with: number }
  | { readonly type: 'junk'; readonly at: number; readonly node: number; readonly junk: Json };

const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as Json;

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ type: fc.constant('drop' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('double' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('swap' as const), at: fc.nat(), with: fc.nat() }),
  fc.record({
    type: fc.constant('junk' as const),
    at: fc.nat(),
    node: fc.nat(),
    junk: fc.oneof(
      fc.constantFrom<Json>(null, true, false, 0, -1, 1e300, '', '[', '{}', '<x>', [], {}, [[]], deep, 'constructor'),
      fc.jsonValue() as fc.Arbitrary<Json>,
    ),
  }),
);

export function mutate(records: readonly Json[], mutations: readonly Mutation[]): Json[] {
  let now = [...records];
  for (const mutation of mutations) {
    if (now.length === 0) return now;
    const at = mutation.at % now.length;
    if (mutation.type === 'drop') now.splice(at, 1);
    else if (mutation.type === 'double') now.splice(at, 0, now[at]!);
    else if (mutation.type === 'cut') now = now.slice(0, at);
    else if (mutation.type === 'swap') {
      const other = mutation.with % now.length;
      [now[at], now[other]] = [now[other]!, now[at]!];
    } else now[at] = replaced(now[at]!, mutation.node % (nodesIn(now[at]!) || 1), mutation.junk);
  }
  return now;
}

function nodesIn(value: Json): number {
  if (typeof value !== 'object' || value === null || value === deep) return 1;
  return 1 + Object.values(value).reduce<number>((sum, inner) => sum + nodesIn(inner as Json), 0);
}

/** A copy in which the node with this number, counted from the root, is junk. */
function replaced(value: Json, node: number, junk: Json): Json {
  if (node === 0) return junk;
  if (typeof value !== 'object' || value === null || value === deep) return value;
  let left = node - 1;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const count = nodesIn(inner as Json);
    const copy = left >= 0 && left < count ? replaced(inner as Json, left, junk) : (inner as Json);
    left -= count;
    return [key, copy];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
