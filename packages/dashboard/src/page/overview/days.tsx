import { useMemo } from 'preact/hooks';
import { counted, dayInWords } from '../words.js';
import { columnsOf } from './bars.js';
import { type Filters, wanted } from './filters.js';
import { inFullWords, type Measure, measures } from './measure.js';
import type { Row } from './row.js';

interface Props {
  readonly rows: readonly Row[];
  readonly filters: Filters;
  readonly measure: Measure;
  readonly onChange: (filters: Filters) => void;
}

/** A column for each day, or for several days together; a click filters the list by it. */
export function Days({ rows, filters, measure, onChange }: Props) {
  const others = useMemo(() => wanted(rows, filters, 'day'), [rows, filters]);
  const columns = useMemo(() => columnsOf(others, measure), [others, measure]);
  const undated = others.filter(({ day }) => day === undefined).length;
  const highest = Math.max(...columns.map(({ amount }) => amount), 0);
  const first = columns[0];
  const last = columns.at(-1);
  if (first === undefined || last === undefined || columns.length < 2) return null;
  const isChosen = (from: string, to: string) => filters.from === from && filters.to === to;
  return (
    <section class="days" aria-label={`${measures[measure]} by day`}>
      <h2>
        {measures[measure]} {first.from === first.to ? 'by day' : 'over time'}
      </h2>
      <ol>
        {columns.map(({ from, to, sessions, looping, amount }) => {
          const days = from === to ? words(from) : `${words(from)} to ${words(to)}`;
          const label = `${days}: ${inFullWords(amount, measure)}, ${looping} of ${counted(sessions, 'session')} looping`;
          const isOut =
            (filters.from !== undefined && to < filters.from) || (filters.to !== undefined && from > filters.to);
          return (
            <li key={from}>
              <button
                type="button"
                class={isOut ? 'day out' : looping === 0 ? 'day clean' : 'day'}
                aria-pressed={isChosen(from, to)}
                aria-label={label}
                title={label}
                disabled={sessions === 0}
                onClick={() =>
                  onChange(
                    isChosen(from, to) ? { ...filters, from: undefined, to: undefined } : { ...filters, from, to },
                  )
                }
              >
                <span style={{ height: `${highest === 0 ? 0 : (100 * amount) / highest}%` }} />
              </button>
            </li>
          );
        })}
      </ol>
      <p class="ends">
        <span>{words(first.from)}</span>
        {undated > 0 && <span>{counted(undated, 'session')} without a date</span>}
        <span>{words(last.to)}</span>
      </p>
    </section>
  );
}

function words(day: string): string {
  return dayInWords(new Date(`${day}T12:00:00`).getTime());
}
