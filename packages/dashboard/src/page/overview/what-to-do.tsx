import { useMemo } from 'preact/hooks';
import type { ReportHead } from '../../report.js';
import { hashOf, start } from '../place.js';
import { baseName, counted, dayInWords, dollars, oneLine, percent, short } from '../words.js';
import { type Cause, causesOf, filtersOf } from './causes.js';
import { unknown } from './filters.js';
import { type Row, textAlone } from './row.js';
import { totalsOf } from './totals.js';
import { type Trend, trendOf } from './trend.js';

const most = 3;

/** What most of the waste comes from, what to do about it, and whether it gets better: the answer of the report. */
export function WhatToDo({ head, rows }: { readonly head: ReportHead; readonly rows: readonly Row[] }) {
  const causes = useMemo(() => causesOf(rows), [rows]);
  const totals = useMemo(() => totalsOf(rows), [rows]);
  const trend = useMemo(() => trendOf(rows), [rows]);
  const top = causes.slice(0, most);
  if (top.length === 0) return null;
  const part = partOf(top, totals.waste);
  return (
    <section class="what-to-do" aria-label="What to do">
      <h2>
        {causes.length > most
          ? `Three of ${causes.length} causes${part === undefined ? '' : ` account for ${percent(part)} of it`}`
          : 'Where it comes from'}
      </h2>
      <ol>
        {top.map((cause) => (
          <CauseCard key={hashOf({ ...start, filters: filtersOf(cause) })} cause={cause} head={head} />
        ))}
      </ol>
      {trend !== undefined && <p class={`trend ${trend.direction}`}>{inWords(trend)}</p>}
    </section>
  );
}

function CauseCard({ cause, head }: { readonly cause: Cause; readonly head: ReportHead }) {
  const { kind, tool, project, model, loops, sessions, calls, cost, tokens, example } = cause;
  const words = head.kinds[kind];
  const where = [
    tool === textAlone ? undefined : oneLine(tool),
    project === unknown ? undefined : oneLine(baseName(project)),
    model === unknown ? undefined : oneLine(model),
  ].filter((one) => one !== undefined);
  const amount =
    cost !== undefined ? dollars(cost) : tokens !== undefined ? `${short(tokens)} tokens` : counted(calls, 'call');
  return (
    <li>
      <p class="cause-head">
        <strong class="cause-amount">{amount}</strong> {words?.title ?? kind}
      </p>
      <p class="cause-where">{where.join(' · ')}</p>
      <p class="cause-example">{oneLine(example.message)}</p>
      {words?.remedy !== undefined && <p class="cause-remedy">{words.remedy}</p>}
      <a class="cause-link" href={hashOf({ ...start, filters: filtersOf(cause) })}>
        {counted(loops, 'loop')} in {counted(sessions, 'session')} →
      </a>
    </li>
  );
}

/** By money where it is known for the whole, else by calls. */
function partOf(top: readonly Cause[], waste: { readonly cost: number | undefined; readonly calls: number }) {
  const sum = (key: 'cost' | 'calls') => top.reduce((total, cause) => total + (cause[key] ?? 0), 0);
  if (waste.cost !== undefined && waste.cost > 0) return sum('cost') / waste.cost;
  return waste.calls > 0 ? sum('calls') / waste.calls : undefined;
}

function inWords({ before, after, of, since, direction }: Trend): string {
  const change = `${percent(before)} of all ${of} before ${dayInWords(since)}, ${percent(after)} since`;
  if (direction === 'same') return `No change over time: ${change}.`;
  return direction === 'better' ? `It gets better: ${change}.` : `It gets worse: ${change}.`;
}
