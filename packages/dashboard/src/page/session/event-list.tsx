import { useEffect, useRef } from 'preact/hooks';
import { useVisibleRows } from '../parts/use-visible-rows.js';
import type { Scene } from '../picture/scene.js';
import { timeOf } from '../words.js';
import { actor, ending, gist } from './item-words.js';

interface Props {
  readonly scene: Scene;
  readonly selected: number;
  readonly onSelect: (item: number) => void;
}

const rowHeight = 32;

/** All events, one per line. The selection is shared with the picture. */
export function EventList({ scene, selected, onSelect }: Props) {
  const { items, inLoop, colours } = scene;
  const list = useRef<HTMLDivElement>(null);
  const { from, to } = useVisibleRows(list, items.length, rowHeight, 'box');
  useEffect(() => {
    const box = list.current;
    if (box === null || selected < 0) return;
    const top = selected * rowHeight;
    if (top < box.scrollTop + rowHeight) box.scrollTop = top - rowHeight;
    else if (top + 2 * rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + 2 * rowHeight - box.clientHeight;
  }, [selected]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -items.length, End: items.length }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    onSelect(selected < 0 ? 0 : selected + step);
  }

  return (
    <div
      ref={list}
      class="event-list"
      role="listbox"
      aria-label="Events"
      aria-activedescendant={selected < 0 ? undefined : `item-${selected}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(from, to).map((item, offset) => {
          const k = from + offset;
          const colour = colours[k]!;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus
            <div
              key={k}
              id={`item-${k}`}
              role="option"
              aria-selected={k === selected}
              aria-setsize={items.length}
              aria-posinset={k + 1}
              class={`event ${item.type}${inLoop[k] ? ' in-loop' : ''} colour-${colour < 0 ? 'none' : Math.min(colour, 5) + 1}`}
              style={{ top: `${k * rowHeight}px` }}
              onClick={() => onSelect(k)}
            >
              <span class="cut seq">{item.seq}</span>
              <span class="cut time">{item.at === undefined ? '' : timeOf(item.at)}</span>
              <span class="dot" />
              <span class="cut actor">{actor(item)}</span>
              <span class="cut gist">{gist(item)}</span>
              <span class="cut ending">{ending(item)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
