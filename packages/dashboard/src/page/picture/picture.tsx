import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useNarrow, useWidth } from '../parts/use-size.js';
import { actor, ending, gist } from '../session/item-words.js';
import { counted, oneLine } from '../words.js';
import { bandsOf, inset } from './bands.js';
import { Controls } from './controls.js';
import { draw } from './draw.js';
import { drawStrip } from './draw-strip.js';
import { paletteOf } from './palette.js';
import { type Axis, itemAt, type Scene } from './scene.js';
import { moved, type Stretch, zoomed } from './stretch.js';

interface Props {
  readonly scene: Scene;
  readonly shown: Stretch;
  readonly axis: Axis;
  readonly hasTimes: boolean;
  readonly selected: number;
  readonly lane: { readonly name: string | undefined } | undefined;
  /** Causes a redraw when the colours change. */
  readonly isDark: boolean;
  readonly onShow: (shown: Stretch) => void;
  readonly onSelect: (item: number) => void;
  readonly onZoom: (factor: number) => void;
  readonly onAxis: (axis: Axis) => void;
  readonly onLane: (lane: Props['lane']) => void;
}

const stripHeight = 30;

/** The timeline of the session as a picture. */
export function Picture(props: Props) {
  const { scene, shown, axis, hasTimes, selected, lane, isDark, onShow, onSelect, onZoom, onAxis, onLane } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState(-1);
  const gutter = useNarrow() ? 86 : 128;
  const width = Math.max(0, useWidth(frame) - gutter);
  const bands = bandsOf(scene);
  const scale = Math.max(1, width - 2 * inset) / (shown.to - shown.from);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return;
    const context = prepared(element, width, bands.height);
    if (context === null) return;
    const palette = paletteOf(element);
    draw(context, { scene, bands, palette, shown, axis, width, selected, pointed, lane });
    const small = strip.current === null ? null : prepared(strip.current, width, stripHeight);
    if (small) drawStrip(small, scene, palette, shown, { width, height: stripHeight });
  }, [scene, shown.from, shown.to, axis, selected, pointed, lane, width, isDark]);

  const latest = useRef({ shown, scene, width, onShow });
  latest.current = { shown, scene, width, onShow };
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    // Not as a property: the listener must not be passive, because it prevents scrolling.
    function onWheel(event: WheelEvent): void {
      const { shown, scene, width, onShow } = latest.current;
      const isOurs = event.ctrlKey || event.metaKey || element!.matches(':focus');
      const unit = (shown.to - shown.from) / Math.max(1, width - 2 * inset);
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        onShow(moved(shown, sideways * unit, scene.width));
      } else if (isOurs) {
        event.preventDefault();
        const about = shown.from + (event.offsetX - inset) * unit;
        onShow(zoomed(shown, Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 150), about, scene.width));
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const drag = useRef<{ x: number; shown: Stretch; isMoved: boolean } | undefined>(undefined);
  const placeAt = (offset: number) => shown.from + (offset - inset) / scale;
  const itemUnder = (offset: number) => itemAt(scene, placeAt(offset));

  function onPointerDown(event: PointerEvent): void {
    drag.current = { x: event.clientX, shown, isMoved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }
  function onPointerMove(event: PointerEvent): void {
    const { current } = drag;
    if (current === undefined) {
      setPointed(itemUnder(event.offsetX));
      return;
    }
    const by = event.clientX - current.x;
    if (Math.abs(by) > 4) current.isMoved = true;
    if (current.isMoved) onShow(moved(current.shown, -by / scale, scene.width));
  }
  function onPointerUp(event: PointerEvent): void {
    if (drag.current?.isMoved === false) onSelect(itemUnder(event.offsetX));
    drag.current = undefined;
  }
  /** The browser uses the touch for scrolling, so the drag ends here. */
  function onPointerCancel(): void {
    drag.current = undefined;
  }
  function onStrip(event: PointerEvent): void {
    if (event.buttons === 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const middle = (event.offsetX / width) * scene.width;
    onShow(moved(shown, middle - (shown.from + shown.to) / 2, scene.width));
  }

  const tip = pointed < 0 || drag.current !== undefined ? undefined : scene.items[pointed];
  const tipAt = pointed < 0 ? 0 : inset + (scene.places[pointed]! - shown.from) * scale;
  const marks = scene.places.filter((place) => place >= shown.from && place <= shown.to).length;

  return (
    <section class="picture" aria-label="Timeline">
      <Controls
        scene={scene}
        shown={shown}
        marks={marks}
        axis={axis}
        hasTimes={hasTimes}
        lane={lane}
        onZoom={onZoom}
        onWhole={() => onShow({ from: 0, to: scene.width })}
        onAxis={onAxis}
        onLane={onLane}
      />
      <div class="frame" ref={frame} style={{ paddingLeft: `${gutter}px` }}>
        <div class="labels" aria-hidden="true" style={{ width: `${gutter}px` }}>
          {scene.sameCalls.length > 0 && (
            <span class="label band-label" style={{ top: `${bands.callArcs.bottom - 26}px` }}>
              {scene.items.some(({ type }) => type === 'call') ? 'same call' : 'same words'}
            </span>
          )}
          {scene.rows.map(({ name, type }, k) => (
            <span
              key={`${type} ${name}`}
              class={`label row-label ${type}`}
              title={oneLine(name)}
              style={{ top: `${bands.rows.top + k * bands.rowHeight}px`, height: `${bands.rowHeight}px` }}
            >
              {oneLine(name)}
            </span>
          ))}
          {scene.sameResults.length > 0 && (
            <span class="label band-label" style={{ top: `${bands.resultArcs.top + 4}px` }}>
              same result
            </span>
          )}
          <span class="label band-label novelty" style={{ top: `${bands.curves.top + 4}px` }}>
            novelty
          </span>
          <span class="label band-label progress" style={{ top: `${bands.curves.top + 24}px` }}>
            progress
          </span>
          <span class="label band-label" style={{ top: `${bands.axis.top + 3}px` }}>
            {axis === 'time' ? 'time' : 'event'}
          </span>
        </div>
        <canvas
          ref={canvas}
          class="plot"
          tabIndex={0}
          role="img"
          aria-label={described(scene)}
          data-marks={marks}
          data-arcs={scene.sameCalls.length + scene.sameResults.length}
          data-from={shown.from.toFixed(2)}
          data-to={shown.to.toFixed(2)}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerCancel}
          onPointerLeave={() => setPointed(-1)}
        />
        {tip !== undefined && (
          <div
            class="tip"
            style={{
              left: `${gutter + Math.max(0, Math.min(tipAt, width - 40))}px`,
              top: `${bands.rows.top - 6}px`,
              transform: `translate(${tipAt > width / 2 ? '-100%' : '0'}, -100%)`,
            }}
          >
            <b>{actor(tip)}</b> {ending(tip) !== '' && <i>{ending(tip)}</i>} {gist(tip).slice(0, 140)}
          </div>
        )}
        <canvas ref={strip} class="strip" onPointerDown={onStrip} onPointerMove={onStrip} />
      </div>
    </section>
  );
}

/** A description for screen readers; the list of events has the details. */
function described({ items, spans, sameCalls, sameResults }: Scene): string {
  const loops = spans.map(({ loop }) => `${loop.kind} from event ${loop.onset} to ${loop.until}`);
  return [
    `Timeline of ${counted(items.length, 'mark')}`,
    `${counted(sameCalls.length, 'repeat')} of a call and ${sameResults.length} of a result`,
    loops.length === 0 ? 'no loop' : loops.join('; '),
  ].join(', ');
}

/** Sized for the screen, cleared, and scaled to its pixels. */
function prepared(element: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = Math.min(3, devicePixelRatio || 1);
  element.width = Math.round(width * ratio);
  element.height = Math.round(height * ratio);
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
  const context = element.getContext('2d');
  context?.scale(ratio, ratio);
  return context;
}
