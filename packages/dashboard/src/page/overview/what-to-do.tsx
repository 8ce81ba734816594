import { useMemo } from 'preact/hooks';
import type { ReportHead } from '../../report.js';
import { hashOf, start } from '../place.js';
import { baseName, counted, dayInWords, dollars, oneLine, percent, short } from '../words.js';
import { type Cause, causesOf, filtersOf } from './causes.js';
import { unknown } from './filters.js';
import { type Row, type RowWaste, textAlone } from './row.js';
import { type Basis, basisOf, totalsOf } from './totals.js';
import { type Trend, trendOf } from './trend.js';

const most = 3;

const wholes: { readonly [basis in Basis]: string } = {
  cost: 'the cost of loops',
  tokens: 'the tokens in loops',
  calls: 'the calls in loops',
};

/** The causes of most of the waste, what to do about them, and the trend. */
export function WhatToDo({ head, rows }: { readonly head: ReportHead; readonly rows: readonly Row[] }) {
  const totals = useMemo(() => totalsOf(rows), [rows]);
  const basis = basisOf(totals);
  const causes = useMemo(() => causesOf(rows, basis), [rows, basis]);
  const trend = useMemo(() => trendOf(rows), [rows]);
  const top = causes.slice(0, most);
  if (top.length === 0) return null;
  const part = partOf(top, totals.waste, basis);
  return (
    <section class="what-to-do" aria-label="What to do">
      <h2>
        {causes.length > most
          ? `Three of ${causes.length} causes${part === undefined ? '' : ` account for ${percent(part)} of ${wholes[basis]}`}`
          : 'Where it comes from'}
      </h2>
      <ol>
        {top.map((cause) => (
          <CauseCard key={hashOf({ ...start, filters: filtersOf(cause) })} cause={cause} basis={basis} head={head} />
        ))}
      </ol>
      {trend !== undefined && <p class={`trend ${trend.direction}`}>{inWords(trend)}</p>}
    </section>
  );
}

interface CardProps {
  readonly cause: Cause;
  readonly basis: Basis;
  readonly head: ReportHead;
}

function CauseCard({ cause, basis, head }: CardProps) {
  const { kind, tool, project, model, loops, sessions, example } = cause;
  const words = head.kinds[kind];
  const where = [
    tool === textAlone ? undefined : oneLine(tool),
    project === unknown ? undefined : oneLine(baseName(project)),
    model === unknown ? undefined : oneLine(model),
  ].filter((one) => one !== undefined);
  return (
    <li>
      <p class="cause-head">
        <strong class="cause-amount">{amountOf(cause, basis)}</strong> {words?.title ?? kind}
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

function amountOf({ calls, cost, tokens }: Cause, basis: Basis): string {
  if (basis === 'cost' && cost !== undefined) return dollars(cost);
  return basis !== 'calls' && tokens !== undefined ? `${short(tokens)} tokens` : counted(calls, 'call');
}

function partOf(top: readonly Cause[], waste: RowWaste, basis: Basis): number | undefined {
  const whole = waste[basis] ?? 0;
  return whole > 0 ? top.reduce((sum, cause) => sum + (cause[basis] ?? 0), 0) / whole : undefined;
}

function inWords({ before, after, of, since, direction }: Trend): string {
  const change = `${percent(before)} of all ${of} before ${dayInWords(since)}, ${percent(after)} since`;
  if (direction === 'same') return `No change over time: ${change}.`;
  return direction === 'better' ? `It gets better: ${change}.` : `It gets worse: ${change}.`;
}
