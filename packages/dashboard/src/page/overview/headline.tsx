import type { ReportHead } from '../../report.js';
import { counted, dollars, duration, grouped, oneLine, short } from '../words.js';
import type { Totals } from './totals.js';

interface Props {
  readonly totals: Totals;
  readonly all: number;
  readonly head: ReportHead;
  readonly isNarrowed: boolean;
}

/** What it all comes to, in a sentence and a few figures. */
export function Headline({ totals, all, head, isNarrowed }: Props) {
  const { sessions, looping, loops, suspicions, calls, waste, withoutTokens, withoutCost, withoutMinutes } = totals;
  return (
    <section class="headline" aria-label="Totals">
      <h1 aria-live="polite">
        {loops === 0 ? (
          <>No loops in {counted(sessions, 'session')}.</>
        ) : (
          <>
            <em>{grouped(looping)}</em> of {counted(sessions, 'session')} went round in circles.
          </>
        )}
      </h1>
      <p class="aside">
        {isNarrowed && `Narrowed down from ${counted(all, 'session')}. `}
        {suspicions > 0 && `${counted(suspicions, 'suspicion')} besides. `}
        {waste.cost !== undefined && `Cost as logged, or by list prices of ${oneLine(head.pricesOf)}.`}
      </p>
      <dl class="figures">
        <Figure name="Loops" value={grouped(loops)} note={loops > 0 ? `in ${counted(looping, 'session')}` : ''} />
        <Figure
          name="Calls spent in them"
          value={grouped(waste.calls)}
          note={calls > 0 ? `${percent(waste.calls / calls)} of ${short(calls)}` : ''}
        />
        <Figure
          name="Tokens"
          value={loops === 0 ? '0' : waste.tokens === undefined ? 'unknown' : short(waste.tokens)}
          note={missing(withoutTokens, loops)}
        />
        <Figure name="Cost" value={loops === 0 ? '$0.00' : dollars(waste.cost)} note={missing(withoutCost, loops)} />
        <Figure
          name="Time"
          value={loops === 0 ? '0 min' : duration(waste.minutes)}
          note={missing(withoutMinutes, loops)}
        />
      </dl>
    </section>
  );
}

function Figure({ name, value, note }: { readonly name: string; readonly value: string; readonly note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={value === 'unknown' ? 'unknown' : ''}>{value}</dd>
      <dd class="note">{note}</dd>
    </div>
  );
}

/** What is left out of a sum is told. */
function missing(without: number, loops: number): string {
  if (without === 0) return '';
  return without === loops ? 'for all of them' : `unknown for ${counted(without, 'loop')}`;
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;
}
