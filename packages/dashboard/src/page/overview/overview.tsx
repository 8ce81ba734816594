import { useMemo, useRef } from 'preact/hooks';
import type { ReportHead } from '../../report.js';
import { download } from '../parts/download.js';
import { useKeys } from '../parts/use-keys.js';
import type { Go } from '../parts/use-place.js';
import { type OverviewPlace, start } from '../place.js';
import { Days } from './days.js';
import { csvOf, jsonOf } from './downloads.js';
import { FacetBars } from './facet-bars.js';
import { FilterLine } from './filter-line.js';
import { type Facet, type Filters, isNarrowed, noFilters, toggled, wanted } from './filters.js';
import { Headline } from './headline.js';
import { type Measure, measures } from './measure.js';
import type { Row } from './row.js';
import { SessionTable } from './session-table.js';
import { sorted } from './sort.js';
import { TeamTable } from './team-table.js';
import { totalsOf } from './totals.js';
import { WhatToDo } from './what-to-do.js';

interface Props {
  readonly head: ReportHead;
  readonly rows: readonly Row[];
  readonly place: OverviewPlace;
  readonly go: Go;
}

const facets: readonly (readonly [Facet, string])[] = [
  ['kind', 'Kind of loop'],
  ['agent', 'Agent'],
  ['model', 'Model'],
  ['tool', 'Tool in the loop'],
  ['project', 'Project'],
  ['author', 'Person'],
];

/** The overview of all sessions: what loops cost, filters, and the list. */
export function Overview({ head, rows, place, go }: Props) {
  const { filters, sort, measure } = place;
  const search = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => search.current?.focus() });
  const found = useMemo(() => wanted(rows, filters), [rows, filters]);
  const listed = useMemo(() => sorted(found, sort), [found, sort]);
  const totals = useMemo(() => totalsOf(found), [found]);
  const hasAuthors = useMemo(() => rows.some(({ session }) => session.author !== undefined), [rows]);
  const narrow = (next: Filters, how?: 'step' | 'instead') => go({ ...place, filters: next }, how);
  const nameOf = (facet: Facet, value: string) => (facet === 'kind' ? (head.kinds[value]?.title ?? value) : value);

  return (
    <>
      <Headline totals={totals} all={rows.length} head={head} isNarrowed={isNarrowed(filters)} />
      <WhatToDo head={head} rows={found} />
      <FilterLine
        filters={filters}
        search={search}
        nameOf={nameOf}
        onChange={narrow}
        onClear={() => go({ ...start, sort, measure })}
      />
      <div class="columns">
        <aside class="facets" aria-label="Filters by what loops cost">
          <MeasureChoice measure={measure} onChoose={(next) => go({ ...place, measure: next }, 'instead')} />
          <div class="facet-list">
            {facets
              .filter(([facet]) => facet !== 'author' || hasAuthors)
              .map(([facet, title]) => (
                <FacetBars
                  key={facet}
                  facet={facet}
                  title={title}
                  rows={rows}
                  filters={filters}
                  measure={measure}
                  nameOf={(value) => nameOf(facet, value)}
                  onToggle={(value) => narrow(toggled(filters, facet, value))}
                />
              ))}
          </div>
        </aside>
        <div class="listing">
          <Days rows={rows} filters={filters} measure={measure} onChange={narrow} />
          <TeamTable rows={found} />
          <p class="downloads">
            <span>These sessions as</span>
            <button type="button" class="more" onClick={() => download('loops.csv', 'text/csv', csvOf(listed))}>
              CSV
            </button>
            <button
              type="button"
              class="more"
              onClick={() => download('loops.json', 'application/json', jsonOf(listed))}
            >
              JSON
            </button>
          </p>
          <SessionTable
            rows={listed}
            all={rows.length}
            kinds={head.kinds}
            sort={sort}
            onSort={(next) => go({ ...place, sort: next }, 'instead')}
            onClear={() => narrow(noFilters)}
          />
        </div>
      </div>
    </>
  );
}

function MeasureChoice({ measure, onChoose }: { measure: Measure; onChoose: (measure: Measure) => void }) {
  return (
    <label class="measure">
      <span>Bars show</span>
      <select value={measure} onChange={({ currentTarget }) => onChoose(currentTarget.value as Measure)}>
        {Object.entries(measures).map(([value, title]) => (
          <option key={value} value={value}>
            {value === 'loops' || value === 'sessions' ? title.toLowerCase() : `${title.toLowerCase()} in loops`}
          </option>
        ))}
      </select>
    </label>
  );
}
