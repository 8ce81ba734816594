import { counted, oneLine } from '../words.js';
import type { Axis, Scene } from './scene.js';
import type { Stretch } from './stretch.js';

interface Props {
  readonly scene: Scene;
  readonly shown: Stretch;
  /** The number of visible marks. */
  readonly marks: number;
  readonly axis: Axis;
  readonly hasTimes: boolean;
  readonly lane: { readonly name: string | undefined } | undefined;
  readonly onZoom: (factor: number) => void;
  readonly onWhole: () => void;
  readonly onAxis: (axis: Axis) => void;
  readonly onLane: (lane: Props['lane']) => void;
}

/** The controls above the picture: zoom, axis and lane. */
export function Controls({ scene, shown, marks, axis, hasTimes, lane, onZoom, onWhole, onAxis, onLane }: Props) {
  const isWhole = shown.to - shown.from >= scene.width;
  return (
    <div class="controls">
      <h2>What happened</h2>
      <p class="shown" aria-live="polite">
        {isWhole ? 'everything' : `${counted(marks, 'mark')} of ${scene.items.length}`}
      </p>
      {scene.lanes.length > 1 && (
        <label>
          <span>Lane</span>
          <select
            value={lane === undefined ? 'all' : String(scene.lanes.indexOf(lane.name))}
            onChange={({ currentTarget: { value } }) =>
              onLane(value === 'all' ? undefined : { name: scene.lanes[Number(value)] })
            }
          >
            <option value="all">all</option>
            {scene.lanes.map((name, k) => (
              <option key={name ?? ''} value={String(k)}>
                {name === undefined ? 'main' : oneLine(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasTimes && (
        <label>
          <span>By</span>
          <select value={axis} onChange={({ currentTarget }) => onAxis(currentTarget.value as Axis)}>
            <option value="order">order</option>
            <option value="time">time</option>
          </select>
        </label>
      )}
      <span class="buttons">
        <button
          type="button"
          class="icon"
          onClick={() => onZoom(1 / 0.6)}
          disabled={isWhole}
          aria-label="Zoom out"
          title="Zoom out (-)"
        >
          −
        </button>
        <button type="button" class="icon" onClick={() => onZoom(0.6)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button type="button" class="button" onClick={onWhole} disabled={isWhole} title="The whole session (0)">
          Whole
        </button>
      </span>
    </div>
  );
}
