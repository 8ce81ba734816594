import { counted } from 'loopfuse/words';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { moment, when } from '../words/when.js';
import { Icon, Spinner } from './icon.js';

/** The most sessions that are listed; a search finds the others. */
const most = 100;

interface Props {
  /** `undefined` while they are being loaded. */
  readonly sessions: readonly SessionRow[] | undefined;
  readonly current: string;
  readonly onClose: () => void;
}

/** Earlier conversations, the latest first, with a search. */
export function Sessions({ sessions, current, onClose }: Props): VNode {
  const { host } = useServices();
  const [sought, setSought] = useState('');
  const panel = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => search.current?.focus(), []);
  const found = matching(sessions ?? [], sought);

  function resume(id: string): void {
    host.post({ type: 'resume', id });
    onClose();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const rows = [...(panel.current?.querySelectorAll<HTMLButtonElement>('.session') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    const inSearch = document.activeElement === search.current;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown') rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (at === 0 ? search.current : rows[at - 1])?.focus();
    else if (event.key === 'Enter' && inSearch && found[0] !== undefined) resume(found[0].id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <section class="sessions" role="dialog" aria-label="Sessions" ref={panel} onKeyDown={onKeyDown}>
      <label class="search">
        <Icon name="search" />
        <span class="for-screen-readers">Search sessions</span>
        <input
          ref={search}
          data-testid="sessions-search"
          type="text"
          placeholder="Search sessions"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      </label>
      <ul data-testid="sessions-list" aria-label={counted(found.length, 'session')}>
        {found.slice(0, most).map((row) => (
          <li key={row.id}>
            <Row row={row} current={row.id === current} onResume={() => resume(row.id)} />
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {sessions === undefined ? (
          <>
            <Spinner /> Looking for sessions
          </>
        ) : (
          summary(sessions.length, found.length)
        )}
      </p>
    </section>
  );
}

function Row({
  row,
  current,
  onResume,
}: {
  readonly row: SessionRow;
  readonly current: boolean;
  readonly onResume: () => void;
}): VNode {
  const { id, title, updatedAt, model, messages, halted } = row;
  return (
    <button
      type="button"
      class="session"
      data-testid="session-row"
      data-session={id}
      data-halted={halted}
      aria-current={current ? 'true' : undefined}
      title={`${moment(updatedAt)}, ${model}`}
      onClick={onResume}
    >
      <span class="title">{title.trim() || '(no messages)'}</span>
      <span class="about">
        {current ? 'open now' : when(updatedAt, Date.now())}, {counted(messages, 'message')}
        {halted && (
          <span class="halted">
            <Icon name="bolt" /> halted by a loop
          </span>
        )}
      </span>
    </button>
  );
}

/** The sessions that contain all words, the latest first. */
function matching(sessions: readonly SessionRow[], sought: string): readonly SessionRow[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions
    .filter(({ title, model, updatedAt, halted }) => {
      const text = `${title} ${model} ${moment(updatedAt)} ${halted ? 'halted loop' : ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}

function summary(all: number, found: number): string {
  if (all === 0) return 'There are no earlier sessions in this folder.';
  if (found === 0) return 'No session has all of these words.';
  return found > most ? `${counted(found - most, 'more session')}: search to find them.` : '';
}
