import { type Facet, valuesOf } from './filters.js';
import { type Measure, measured } from './measure.js';
import type { Row } from './row.js';

/** One bar: a value and its total. */
export interface Bar {
  readonly value: string;
  readonly amount: number;
  /** Whether a part of it is unknown, so that it may be more. */
  readonly atLeast: boolean;
}

/** The totals of the values of a facet, the largest first. A session counts for each of its tools and kinds. */
export function barsOf(rows: readonly Row[], facet: Facet, measure: Measure): Bar[] {
  const sums = new Map<string, { amount: number; unknown: number }>();
  for (const row of rows)
    for (const value of valuesOf(row, facet)) {
      const sum = sums.get(value) ?? { amount: 0, unknown: 0 };
      const amount = measured(row, measure);
      if (amount === undefined) sum.unknown++;
      else sum.amount += amount;
      sums.set(value, sum);
    }
  return [...sums]
    .map(([value, { amount, unknown }]) => ({ value, amount, atLeast: unknown > 0 }))
    .sort((a, b) => b.amount - a.amount || (a.value < b.value ? -1 : 1));
}

/** Consecutive days as one column. */
export interface Column {
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  readonly sessions: number;
  readonly looping: number;
  readonly amount: number;
}

const dayLength = 86_400_000;
const mostColumns = 62;

/** Columns of consecutive days without gaps. Each has as many days as keep the number of columns below the limit. */
export function columnsOf(rows: readonly Row[], measure: Measure): Column[] {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).sort();
  if (days.length === 0) return [];
  const first = numberOf(days[0]!);
  const last = numberOf(days.at(-1)!);
  const width = Math.ceil((last - first + 1) / mostColumns);
  const columns = Array.from({ length: Math.floor((last - first) / width) + 1 }, (_, k) => ({
    from: dayAt(first + k * width),
    to: dayAt(Math.min(last, first + (k + 1) * width - 1)),
    sessions: 0,
    looping: 0,
    amount: 0,
  }));
  for (const row of rows) {
    if (row.day === undefined) continue;
    const column = columns[Math.floor((numberOf(row.day) - first) / width)]!;
    column.sessions++;
    if (row.looping.length > 0) column.looping++;
    column.amount += measured(row, measure) ?? 0;
  }
  return columns;
}

function numberOf(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / dayLength);
}

function dayAt(number: number): string {
  return new Date(number * dayLength).toISOString().slice(0, 10);
}
