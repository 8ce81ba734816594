import type { RefObject } from 'preact';
import { oneLine } from '../words.js';
import { type Facet, type Filters, isNarrowed, toggled } from './filters.js';

interface Props {
  readonly filters: Filters;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly nameOf: (facet: Facet, value: string) => string;
  readonly onChange: (filters: Filters, how?: 'step' | 'instead') => void;
  readonly onClear: () => void;
}

/** Search, dates, minimum waste; and the chosen values, which can be removed one by one. */
export function FilterLine({ filters, search, nameOf, onChange, onClear }: Props) {
  const chosen = (['kind', 'agent', 'model', 'tool', 'project', 'author'] as const).flatMap((facet) =>
    filters[facet].map((value) => ({ facet, value })),
  );
  return (
    <search class="filters" aria-label="Filter the sessions">
      <div class="fields">
        <input
          ref={search}
          type="search"
          class="words"
          placeholder="Search titles, projects, models, what happened…"
          aria-label="Search"
          value={filters.words}
          onInput={({ currentTarget }) => onChange({ ...filters, words: currentTarget.value }, 'instead')}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <label>
          <span>Show</span>
          <select
            value={filters.only}
            onChange={({ currentTarget }) => onChange({ ...filters, only: currentTarget.value as Filters['only'] })}
          >
            <option value="everything">all sessions</option>
            <option value="loops">only loops</option>
            <option value="suspicions">suspicions</option>
          </select>
        </label>
        <label>
          <span>Calls in loops, at least</span>
          <input
            type="number"
            class="count"
            min="0"
            inputmode="numeric"
            placeholder="0"
            value={filters.minCalls === 0 ? '' : String(filters.minCalls)}
            onInput={({ currentTarget }) => {
              const count = Math.floor(Number(currentTarget.value));
              onChange({ ...filters, minCalls: count > 0 && count < 1e9 ? count : 0 }, 'instead');
            }}
          />
        </label>
        <label>
          <span>From</span>
          <input
            type="date"
            value={filters.from ?? ''}
            onChange={({ currentTarget }) => onChange({ ...filters, from: currentTarget.value || undefined })}
          />
        </label>
        <label>
          <span>To</span>
          <input
            type="date"
            value={filters.to ?? ''}
            onChange={({ currentTarget }) => onChange({ ...filters, to: currentTarget.value || undefined })}
          />
        </label>
      </div>
      {isNarrowed(filters) && (
        <ul class="chips" aria-label="Chosen">
          {chosen.map(({ facet, value }) => (
            <li key={`${facet} ${value}`}>
              <button
                type="button"
                onClick={() => onChange(toggled(filters, facet, value))}
                aria-label={`Remove ${facet} ${oneLine(nameOf(facet, value))}`}
              >
                {oneLine(nameOf(facet, value))} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
          <li>
            <button type="button" class="clear" onClick={onClear}>
              Clear all
            </button>
          </li>
        </ul>
      )}
    </search>
  );
}
