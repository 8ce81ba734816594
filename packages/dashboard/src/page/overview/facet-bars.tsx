import { useMemo, useState } from 'preact/hooks';
import { baseName, oneLine } from '../words.js';
import { barsOf } from './bars.js';
import { type Facet, type Filters, wanted } from './filters.js';
import { inFullWords, inWords, type Measure } from './measure.js';
import type { Row } from './row.js';

interface Props {
  readonly facet: Facet;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly filters: Filters;
  readonly measure: Measure;
  readonly nameOf: (value: string) => string;
  readonly onToggle: (value: string) => void;
}

const few = 6;
const many = 200;

/** Bars that are filters too: the totals of the values of one facet, with all other filters applied. */
export function FacetBars({ facet, title, rows, filters, measure, nameOf, onToggle }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const bars = useMemo(() => barsOf(wanted(rows, filters, facet), facet, measure), [rows, filters, facet, measure]);
  const chosen = filters[facet];
  const shown = showsAll
    ? bars.slice(0, many)
    : bars.filter(({ value }, k) => k < few || chosen.includes(value)).slice(0, many);
  const longest = Math.max(...bars.map(({ amount }) => amount), 0);
  return (
    <section class="facet" aria-label={title}>
      <h2>{title}</h2>
      {bars.length === 0 && <p class="none">none</p>}
      <ul>
        {shown.map(({ value, amount, atLeast }) => {
          const name = oneLine(nameOf(value));
          const isUnknown = atLeast && amount === 0;
          return (
            <li key={value}>
              <button
                type="button"
                class="bar"
                aria-pressed={chosen.includes(value)}
                onClick={() => onToggle(value)}
                title={name}
                aria-label={`${name}: ${isUnknown ? 'unknown' : `${atLeast ? 'at least ' : ''}${inFullWords(amount, measure)}`}`}
              >
                <span class="bar-name">{facet === 'project' ? baseName(name) : name}</span>
                <span class="bar-amount">{isUnknown ? '?' : `${inWords(amount, measure)}${atLeast ? '+' : ''}`}</span>
                <span class="bar-length" style={{ width: `${longest === 0 ? 0 : (100 * amount) / longest}%` }} />
              </button>
            </li>
          );
        })}
      </ul>
      {bars.length > few && (
        <button type="button" class="more" onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
          {showsAll ? 'fewer' : `all ${bars.length}`}
        </button>
      )}
    </section>
  );
}
