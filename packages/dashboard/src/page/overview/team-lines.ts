import { type Facet, unknown, valuesOf } from './filters.js';
import type { Row } from './row.js';
import { type Totals, totalsOf } from './totals.js';

/** The groups of the table for teams. */
export type Group = Extract<Facet, 'project' | 'model' | 'agent' | 'author'>;

export interface Line {
  readonly name: string;
  readonly totals: Totals;
}

/** The group to show first: project, model or agent, the first that has different values. */
export function tellingGroup(rows: readonly Row[]): Group {
  const tells = (group: Group) => new Set(rows.map((row) => valuesOf(row, group)[0])).size > 1;
  return (['project', 'model', 'agent'] as const).find(tells) ?? 'project';
}

/** A line for each value, the costliest first. */
export function linesOf(rows: readonly Row[], group: Group): Line[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const [name = unknown] = valuesOf(row, group);
    const its = groups.get(name) ?? [];
    its.push(row);
    groups.set(name, its);
  }
  return [...groups]
    .map(([name, its]) => ({ name, totals: totalsOf(its) }))
    .sort(
      (a, b) =>
        (b.totals.waste.cost ?? 0) - (a.totals.waste.cost ?? 0) ||
        b.totals.waste.calls - a.totals.waste.calls ||
        b.totals.sessions - a.totals.sessions,
    );
}
