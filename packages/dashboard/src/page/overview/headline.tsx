import type { ReportHead } from '../../report.js';
import { counted, dollars, duration, grouped, oneLine, percent, short } from '../words.js';
import { shareOf, type Totals } from './totals.js';

interface Props {
  readonly totals: Totals;
  readonly all: number;
  readonly head: ReportHead;
  readonly isNarrowed: boolean;
}

/** The totals, in a sentence and a few figures. */
export function Headline({ totals, all, head, isNarrowed }: Props) {
  const { sessions, looping, loops, suspicions, calls, used, waste, withoutTokens, withoutCost, withoutMinutes } =
    totals;
  const share = shareOf(totals);
  return (
    <section class="headline" aria-label="Totals">
      <h1 aria-live="polite">
        {loops === 0 ? (
          <>No loops in {counted(sessions, 'session')}.</>
        ) : (
          <>
            <em>{grouped(looping)}</em> of {counted(sessions, 'session')} went round in circles
            {share !== undefined && (
              <>
                {' '}
                and took <em>{percent(share.part)}</em> of all {share.of}
              </>
            )}
            .
          </>
        )}
      </h1>
      <p class="aside">
        {isNarrowed && `Filtered from ${counted(all, 'session')}. `}
        {suspicions > 0 && `Also ${counted(suspicions, 'suspicion')}. `}
        {waste.cost !== undefined && `Cost as logged, or by list prices of ${oneLine(head.pricesOf)}.`}
      </p>
      {head.unread !== undefined && <NotRead {...head.unread} />}
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
          note={of(waste.tokens, used.tokens, short, missing(withoutTokens, loops))}
        />
        <Figure
          name="Cost"
          value={loops === 0 ? '$0.00' : dollars(waste.cost)}
          note={of(waste.cost, used.cost, dollars, missing(withoutCost, loops))}
        />
        <Figure
          name="Time"
          value={loops === 0 ? '0 min' : duration(waste.minutes)}
          note={missing(withoutMinutes, loops)}
        />
      </dl>
    </section>
  );
}

/** The files that are not in the figures because they could not be read. */
function NotRead({ count, first }: NonNullable<ReportHead['unread']>) {
  return (
    <details class="not-read">
      <summary>{counted(count, 'file or folder', 'files or folders')} could not be read, or only in part</summary>
      <ul>
        {first.map(({ file, why }) => (
          <li key={file}>
            <b>{oneLine(file)}</b>: {oneLine(why)}
          </li>
        ))}
        {count > first.length && <li>and {grouped(count - first.length)} more</li>}
      </ul>
    </details>
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

/** "16 % of $80.00", and what is missing from the sum. */
function of(
  part: number | undefined,
  whole: number | undefined,
  inWords: (value: number) => string,
  lack: string,
): string {
  if (part === undefined || whole === undefined || whole <= 0) return lack;
  const share = `${percent(part / whole)} of ${inWords(whole)}`;
  return lack === '' ? share : `${share}, ${lack}`;
}

/** Says how many loops are missing from a sum. */
function missing(without: number, loops: number): string {
  if (without === 0) return '';
  return without === loops ? 'for all of them' : `unknown for ${counted(without, 'loop')}`;
}
