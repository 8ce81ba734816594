import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Overview } from './overview/overview.js';
import { rowOf } from './overview/row.js';
import { Help } from './parts/help.js';
import { Mark } from './parts/icons.js';
import { ThemeButton } from './parts/theme-button.js';
import { useKeys } from './parts/use-keys.js';
import { usePlace } from './parts/use-place.js';
import { useTheme } from './parts/use-theme.js';
import { hashOf, type OverviewPlace, start } from './place.js';
import type { Report } from './read-report.js';
import { SessionView } from './session/session-view.js';
import { dayInWords, oneLine } from './words.js';

export function App({ head, sessions }: Report) {
  const [place, go] = usePlace();
  const { theme, next, isDark } = useTheme();
  const help = useRef<HTMLDialogElement>(null);
  const rows = useMemo(() => sessions.map(rowOf), [sessions]);
  // Going back from a session restores the list and its scroll position.
  const list = useRef<{ place: OverviewPlace; scrolled: number }>({ place: start, scrolled: 0 });
  if (place.view === 'overview') list.current.place = place;
  useKeys({ '?': () => help.current?.showModal(), t: next });
  useEffect(() => {
    const remember = () => {
      if (place.view === 'overview') list.current.scrolled = scrollY;
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [place.view]);
  useEffect(() => {
    scrollTo(0, place.view === 'overview' ? list.current.scrolled : 0);
  }, [place.view]);
  const row = place.view === 'session' ? rows[place.session] : undefined;
  return (
    <>
      <header class="top">
        <a class="name" href={hashOf(list.current.place)} aria-label="Loopfuse report, all sessions">
          <Mark />
          <span>Loopfuse</span>
        </a>
        <p class="made">
          {oneLine(head.preset)} preset, {dayInWords(head.madeAt)}
          {head.narrowed !== undefined && `, ${oneLine(head.narrowed)}`}
        </p>
        <ThemeButton theme={theme} onClick={next} />
        <button
          type="button"
          class="icon"
          onClick={() => help.current?.showModal()}
          aria-label="Help and keys"
          title="Help and keys (?)"
        >
          ?
        </button>
      </header>
      <main>
        {place.view === 'overview' && <Overview head={head} rows={rows} place={place} go={go} />}
        {place.view === 'session' &&
          (row === undefined ? (
            <p class="nothing">
              There is no such session in this report. <a href="#/">All sessions</a>
            </p>
          ) : (
            <SessionView
              key={row.index}
              head={head}
              row={row}
              rows={rows}
              place={place}
              list={list.current.place}
              go={go}
              isDark={isDark}
            />
          ))}
      </main>
      <Help dialog={help} />
    </>
  );
}
