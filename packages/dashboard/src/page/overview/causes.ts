import type { LoopSummary } from '../../report.js';
import { type Filters, noFilters, unknown } from './filters.js';
import { type Row, sumOfKnown, textAlone } from './row.js';
import type { Basis } from './totals.js';

/** Loops of one kind, with one tool, in one project, by one model, which are likely to have one reason. */
export interface Cause {
  readonly kind: string;
  readonly tool: string;
  readonly project: string;
  readonly model: string;
  readonly loops: number;
  readonly sessions: number;
  readonly calls: number;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  /** The costliest of them. */
  readonly example: LoopSummary;
}

/** The causes of the loops of these sessions, the costliest first, as far as is known. A loop counts for its first tool only. */
export function causesOf(rows: readonly Row[], basis: Basis): Cause[] {
  const groups = new Map<string, { row: Row; loop: LoopSummary }[]>();
  for (const row of rows)
    for (const loop of row.looping) {
      const key = JSON.stringify(namesOf(row, loop));
      const group = groups.get(key) ?? [];
      group.push({ row, loop });
      groups.set(key, group);
    }
  return [...groups.values()].map(causeOf).sort((a, b) => (b[basis] ?? 0) - (a[basis] ?? 0) || byCost(a, b));
}

/** The filters that select the sessions of a cause. */
export function filtersOf({ kind, tool, project, model }: Cause): Filters {
  return { ...noFilters, kind: [kind], tool: [tool], project: [project], model: [model], only: 'loops' };
}

function namesOf({ session }: Row, { kind, tools }: LoopSummary) {
  return { kind, tool: tools[0] ?? textAlone, project: session.project ?? unknown, model: session.model ?? unknown };
}

function causeOf(group: readonly { row: Row; loop: LoopSummary }[]): Cause {
  const loops = group.map(({ loop }) => loop);
  const { row, loop } = group[0]!;
  return {
    ...namesOf(row, loop),
    loops: group.length,
    sessions: new Set(group.map(({ row }) => row.index)).size,
    calls: loops.reduce((sum, { waste }) => sum + waste.calls, 0),
    tokens: sumOfKnown(loops.map(({ waste }) => waste.tokens)),
    cost: sumOfKnown(loops.map(({ waste }) => waste.cost)),
    example: loops.reduce((a, b) =>
      ((b.waste.cost ?? 0) - (a.waste.cost ?? 0) || b.waste.calls - a.waste.calls) > 0 ? b : a,
    ),
  };
}

function byCost(a: Cause, b: Cause): number {
  return (b.cost ?? 0) - (a.cost ?? 0) || (b.tokens ?? 0) - (a.tokens ?? 0) || b.calls - a.calls || b.loops - a.loops;
}
