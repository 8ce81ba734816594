import type { Scene } from '../picture/scene.js';
import { counted, grouped, momentInWords, oneLine, timeOf, visible } from '../words.js';
import { actor, ending, gist } from './item-words.js';

interface Props {
  readonly scene: Scene;
  readonly selected: number;
  readonly onSelect: (item: number) => void;
}

/** The details of one event. */
export function EventDetail({ scene, selected, onSelect }: Props) {
  const item = scene.items[selected];
  if (item === undefined)
    return (
      <section class="detail empty" aria-label="Event">
        <p>Choose a mark in the picture, or an event in the list, to see what was called and what came back.</p>
      </section>
    );
  const alike = item.same === undefined ? [] : placesOf(scene, ({ same }) => same === item.same);
  const results = item.outcome === undefined ? [] : placesOf(scene, ({ outcome }) => outcome === item.outcome);
  const how = ending(item);
  const isText = item.type === 'says' || item.type === 'thinks';
  return (
    <section class="detail" aria-label="Event" aria-live="polite">
      <h3>
        {actor(item)} {how !== '' && <span class={`ended ${item.status}`}>{how}</span>}
      </h3>
      <p class="facts-line">
        {item.last > item.seq ? `events ${item.seq} to ${item.last}` : `event ${item.seq}`}
        {item.at !== undefined && ` · ${momentInWords(item.at)}${timeOf(item.at).slice(5)}`}
        {item.lane !== undefined && ` · in ${oneLine(item.lane)}`}
        {item.tokens > 0 && ` · ${grouped(item.tokens)} tokens`}
        {` · ${item.novelty} % new`}
      </p>
      <Others
        places={alike}
        selected={selected}
        what={isText ? 'the same words' : 'the same call'}
        onSelect={onSelect}
      />
      <Others places={results} selected={selected} what="the same result" onSelect={onSelect} />
      {item.type === 'gap' && <p>{gist(item)}</p>}
      {item.type !== 'call' && item.text !== '' && <pre>{visible(item.text)}</pre>}
      {item.input !== undefined && (
        <>
          <h4>Input</h4>
          <pre>{visible(item.input)}</pre>
        </>
      )}
      {item.result !== undefined && (
        <>
          <h4>Result</h4>
          <pre class={item.status}>{item.result === '' ? '(empty)' : visible(item.result)}</pre>
        </>
      )}
      {item.type === 'call' && item.result === undefined && <p class="quiet">No result was recorded.</p>}
    </section>
  );
}

interface OthersProps {
  readonly places: readonly number[];
  readonly selected: number;
  readonly what: string;
  readonly onSelect: (item: number) => void;
}

/** The number of this item among equal ones, and buttons to the previous and the next. */
function Others({ places, selected, what, onSelect }: OthersProps) {
  if (places.length < 2) return null;
  const own = places.indexOf(selected);
  const before = places[own - 1];
  const after = places[own + 1];
  return (
    <p class="others">
      <button
        type="button"
        class="icon"
        disabled={before === undefined}
        onClick={() => before !== undefined && onSelect(before)}
        aria-label={`${what}, previous`}
      >
        ‹
      </button>
      <span>
        {what}, {own + 1} of {counted(places.length, 'time')}
      </span>
      <button
        type="button"
        class="icon"
        disabled={after === undefined}
        onClick={() => after !== undefined && onSelect(after)}
        aria-label={`${what}, next`}
      >
        ›
      </button>
    </p>
  );
}

function placesOf({ items }: Scene, isAlike: (item: Scene['items'][number]) => boolean): number[] {
  return items.flatMap((item, k) => (isAlike(item) ? [k] : []));
}
