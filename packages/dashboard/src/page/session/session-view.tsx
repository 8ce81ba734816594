import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ReportHead } from '../../report.js';
import type { Timeline } from '../../timeline.js';
import type { Row } from '../overview/row.js';
import { nameOf } from '../overview/sort.js';
import { useKeys } from '../parts/use-keys.js';
import type { Go } from '../parts/use-place.js';
import { Picture } from '../picture/picture.js';
import { type Axis, hasTimes, itemOfEvent, nextSpan, sceneOf } from '../picture/scene.js';
import { around, type Stretch, showing, zoomed } from '../picture/stretch.js';
import { hashOf, type OverviewPlace, type SessionPlace } from '../place.js';
import { readTimeline } from '../read-report.js';
import { counted, momentInWords, oneLine } from '../words.js';
import { EventDetail } from './event-detail.js';
import { EventList } from './event-list.js';
import { LoopCard } from './loop-card.js';

interface Props {
  readonly head: ReportHead;
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly place: SessionPlace;
  /** The last state of the list of sessions. */
  readonly list: OverviewPlace;
  readonly go: Go;
  readonly isDark: boolean;
}

/** One session: its loops in words, the picture, and the events. */
export function SessionView({ head, row, rows, place, list, go, isDark }: Props) {
  const { session } = row;
  const [timeline, setTimeline] = useState<Timeline | 'reading' | 'missing' | 'broken'>('reading');
  const [axis, setAxis] = useState<Axis>('order');
  const [lane, setLane] = useState<{ readonly name: string | undefined }>();
  useEffect(() => {
    readTimeline(row.index).then(
      (read) => setTimeline(read ?? 'missing'),
      () => setTimeline('broken'),
    );
  }, [row.index]);

  const items = typeof timeline === 'string' ? [] : timeline.items;
  const scene = useMemo(() => sceneOf(items, session.loops, axis), [items, session, axis]);
  const whole: Stretch = { from: 0, to: scene.width };
  const shown = place.shown === undefined ? whole : zoomed(place.shown, 1, place.shown.from, scene.width);
  const selected = place.event === undefined || items.length === 0 ? -1 : itemOfEvent(items, place.event);

  const show = (next: Stretch) => {
    const { shown: _, ...rest } = place;
    const isWhole = next.to - next.from >= scene.width;
    go(isWhole ? rest : { ...rest, shown: next }, 'instead');
  };
  const select = (item: number) => {
    const chosen = items[Math.max(0, Math.min(items.length - 1, item))];
    if (chosen === undefined) return;
    const next = showing(shown, scene.places[items.indexOf(chosen)]!, scene.width);
    const isWhole = next.to - next.from >= scene.width;
    const { shown: _, ...rest } = place;
    go({ ...rest, event: chosen.seq, ...(isWhole ? {} : { shown: next }) }, 'instead');
  };
  const showLoop = (k: number) => {
    const span = scene.spans[k];
    if (span === undefined) return;
    go({ ...place, event: items[span.first]!.seq, shown: around(span.from, span.to, scene.width) }, 'instead');
  };
  // A session opens at its first loop, unless the address names a place.
  const isHere = place.event !== undefined || place.shown !== undefined;
  useEffect(() => {
    if (!isHere && items.length > 0 && scene.spans.length > 0) showLoop(0);
  }, [items]);
  const zoom = (factor: number) => {
    const middle = selected < 0 ? undefined : scene.places[selected];
    const isIn = middle !== undefined && middle >= shown.from && middle <= shown.to;
    show(zoomed(shown, factor, isIn ? middle : (shown.from + shown.to) / 2, scene.width));
  };
  const alike = (step: 1 | -1) => {
    const own = items[selected]?.same;
    if (own === undefined) return;
    for (let k = selected + step; k >= 0 && k < items.length; k += step) if (items[k]!.same === own) return select(k);
  };
  const beside = (step: 1 | -1) => {
    const next = rows[row.index + step];
    if (next) go({ view: 'session', session: next.index });
  };

  useKeys({
    Escape: () => go(list),
    '[': () => beside(-1),
    ']': () => beside(1),
    ArrowLeft: ({ shiftKey }) => (shiftKey ? alike(-1) : select(selected - 1)),
    ArrowRight: ({ shiftKey }) => (shiftKey ? alike(1) : select(selected + 1)),
    '+': () => zoom(0.6),
    '=': () => zoom(0.6),
    '-': () => zoom(1 / 0.6),
    '0': () => show(whole),
    l: () => showLoop(nextSpan(scene.spans, selected)),
  });

  const facts = [
    session.agent,
    session.model,
    session.project,
    row.at === undefined ? undefined : momentInWords(row.at),
    `${counted(session.events, 'event')}, ${counted(session.calls, 'call')}`,
  ].filter((fact) => fact !== undefined);

  return (
    <article class="session">
      <nav class="crumbs" aria-label="Navigation">
        <a href={hashOf(list)}>← All sessions</a>
        <span class="beside">
          <button
            type="button"
            class="icon"
            onClick={() => beside(-1)}
            disabled={row.index === 0}
            aria-label="Previous session"
          >
            ‹
          </button>
          <button
            type="button"
            class="icon"
            onClick={() => beside(1)}
            disabled={row.index === rows.length - 1}
            aria-label="Next session"
          >
            ›
          </button>
        </span>
      </nav>
      <h1>{oneLine(nameOf(session))}</h1>
      <ul class="facts">
        {facts.map((fact) => (
          <li key={fact}>{oneLine(fact)}</li>
        ))}
      </ul>
      <p class="file">
        {session.title !== undefined && <span>{oneLine(session.id)} · </span>}
        {oneLine(session.file)}
      </p>
      <section class="loop-cards" aria-label="Loops">
        {session.loops.map((loop) => (
          <LoopCard
            key={`${loop.detector} ${loop.onset} ${loop.status}`}
            loop={loop}
            words={head.kinds[loop.kind]}
            onShow={
              scene.spans.some((span) => span.loop === loop)
                ? () => showLoop(scene.spans.findIndex((span) => span.loop === loop))
                : undefined
            }
          />
        ))}
        {session.loops.length === 0 && <p class="clean">No loop was seen in this session.</p>}
      </section>
      {timeline === 'reading' && <p class="nothing">Reading…</p>}
      {timeline === 'broken' && (
        <p class="nothing">The timeline of this session cannot be read. Make the report again.</p>
      )}
      {timeline === 'missing' && (
        <p class="nothing">
          The report holds no timeline of this session, to stay small. <code>loopfuse scan show</code> prints it.
        </p>
      )}
      {items.length > 0 && (
        <>
          <Picture
            scene={scene}
            shown={shown}
            axis={axis}
            selected={selected}
            lane={lane}
            isDark={isDark}
            hasTimes={hasTimes(items)}
            onShow={show}
            onSelect={select}
            onZoom={zoom}
            onAxis={(next) => {
              setAxis(next);
              show(whole);
            }}
            onLane={setLane}
          />
          <div class="events">
            <EventList scene={scene} selected={selected} onSelect={select} />
            <EventDetail scene={scene} selected={selected} onSelect={select} />
          </div>
        </>
      )}
    </article>
  );
}
