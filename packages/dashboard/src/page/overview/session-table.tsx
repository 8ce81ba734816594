import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { KindWords } from '../../report.js';
import { useNarrow } from '../parts/use-size.js';
import { useVisibleRows } from '../parts/use-visible-rows.js';
import { hashOf } from '../place.js';
import { baseName, counted, dayInWords, dollars, duration, oneLine, short } from '../words.js';
import type { Row } from './row.js';
import { nameOf, type Sort, type SortKey } from './sort.js';

interface Props {
  readonly rows: readonly Row[];
  readonly all: number;
  readonly kinds: { readonly [kind: string]: KindWords };
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly onClear: () => void;
}

/** The title of each column, and its meaning if the title does not say it. */
const headings: readonly (readonly [SortKey, string, string?])[] = [
  ['title', 'Session'],
  ['agent', 'Agent'],
  ['when', 'When'],
  ['loops', 'Loops'],
  ['calls', 'Calls', 'calls in loops'],
  ['tokens', 'Tokens', 'tokens spent in loops'],
  ['cost', 'Cost', 'cost of loops'],
  ['minutes', 'Time', 'time spent in loops'],
];

/** The list of sessions. Only visible rows are in the page. */
export function SessionTable({ rows, all, kinds, sort, onSort, onClear }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const rowHeight = useNarrow() ? 92 : 60;
  const { from, to } = useVisibleRows(list, rows.length, rowHeight, 'page');

  // The row that was last reached with the keyboard stays in the page, because the focus would be lost with it.
  const [reached, setReached] = useState(-1);
  const goal = useRef(-1);
  function reach(): void {
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${goal.current}"]`);
    if (goal.current < 0 || row == null) return;
    row.focus({ preventScroll: true });
    goal.current = -1;
  }
  useLayoutEffect(reach, [reached]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (step === undefined || link === null) return;
    event.preventDefault();
    const own = goal.current < 0 ? Number(link.dataset.row) : goal.current;
    const next = Math.max(0, Math.min(rows.length - 1, own + step));
    const top = list.current!.getBoundingClientRect().top + next * rowHeight;
    if (top < 80) scrollBy(0, top - 80);
    else if (top + rowHeight > innerHeight) scrollBy(0, top + rowHeight - innerHeight + 8);
    goal.current = next;
    setReached(next);
    reach();
  }

  const places = Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
  if (reached >= 0 && reached < rows.length && (reached < from || reached >= to)) places.push(reached);

  return (
    <section class="sessions" aria-label="Sessions">
      <div class="heads">
        {headings.map(([key, title, meaning = title.toLowerCase()]) => (
          <button
            key={key}
            type="button"
            class={`cell ${key}`}
            aria-pressed={sort.by === key}
            title={`Sort by ${meaning}`}
            aria-label={`Sort by ${meaning}${sort.by === key ? (sort.descending ? ', now descending' : ', now ascending') : ''}`}
            onClick={() => onSort({ by: key, descending: sort.by === key ? !sort.descending : !isText(key) })}
          >
            {title}
            <span aria-hidden="true">{sort.by === key ? (sort.descending ? ' ↓' : ' ↑') : ''}</span>
          </button>
        ))}
      </div>
      {rows.length === 0 && (
        <p class="nothing">
          {all === 0 ? 'There are no sessions in this report.' : 'No session matches the filters. '}
          {all > 0 && (
            <button type="button" class="button" onClick={onClear}>
              Show all {counted(all, 'session')}
            </button>
          )}
        </p>
      )}
      {/* The rows are links; the keys only move between them. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div ref={list} class="rows" style={{ height: `${rows.length * rowHeight}px` }} onKeyDown={onKeyDown}>
        {places.map((place) => (
          <SessionRow
            key={rows[place]!.index}
            row={rows[place]!}
            kinds={kinds}
            place={place}
            top={place * rowHeight}
            height={rowHeight}
          />
        ))}
      </div>
    </section>
  );
}

interface RowProps {
  readonly row: Row;
  readonly kinds: Props['kinds'];
  readonly place: number;
  readonly top: number;
  readonly height: number;
}

function SessionRow({ row, kinds, place, top, height }: RowProps) {
  const { session, looping, waste, at } = row;
  const suspicions = session.loops.length - looping.length;
  const worst = looping[0] ?? session.loops[0];
  const isLooping = looping.length > 0;
  return (
    <a
      class={isLooping ? 'row looping' : suspicions > 0 ? 'row suspect' : 'row'}
      href={hashOf({ view: 'session', session: row.index })}
      data-row={place}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      <span class="cell title">
        <strong>{oneLine(nameOf(session))}</strong>
        <small>{worst === undefined ? usedInWords(session) : oneLine(worst.message)}</small>
      </span>
      <span class="cell agent">
        {oneLine(session.agent)}
        <small>
          {session.project === undefined ? oneLine(session.model ?? '') : oneLine(baseName(session.project))}
        </small>
      </span>
      <span class="cell when">{at === undefined ? 'unknown' : dayInWords(at)}</span>
      <span class="cell loops">
        {isLooping && (
          <span class="badge">
            {kinds[looping[0]!.kind]?.title ?? looping[0]!.kind}
            {looping.length > 1 && ` +${looping.length - 1}`}
          </span>
        )}
        {!isLooping && suspicions > 0 && <span class="badge suspect">suspicion</span>}
      </span>
      <span class="cell calls">{isLooping ? short(waste.calls) : ''}</span>
      <span class="cell tokens">{isLooping ? amount(waste.tokens, short) : ''}</span>
      <span class="cell cost">{isLooping ? amount(waste.cost, dollars) : ''}</span>
      <span class="cell minutes">{isLooping ? amount(waste.minutes, duration) : ''}</span>
    </a>
  );
}

/** "44 calls, 1.4M tokens, $1.26" */
function usedInWords({ calls, used: { tokens, cost } }: Row['session']): string {
  const parts = [counted(calls, 'call')];
  if (tokens !== undefined) parts.push(`${short(tokens)} tokens`);
  if (cost !== undefined) parts.push(dollars(cost));
  return parts.join(', ');
}

function amount(value: number | undefined, inWords: (value: number) => string) {
  return value === undefined ? <span class="unknown">unknown</span> : inWords(value);
}

function isText(key: SortKey): boolean {
  return key === 'title' || key === 'agent';
}
