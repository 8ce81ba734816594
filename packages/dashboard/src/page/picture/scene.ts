import type { LoopSummary } from '../../report.js';
import type { Item } from '../../timeline.js';

/** The layout of a timeline, in units. Each item takes one unit. */
export interface Scene {
  readonly items: readonly Item[];
  readonly width: number;
  /** The width of a gap. */
  readonly gapWidth: number;
  /** The centre of each item; never decreasing. */
  readonly places: readonly number[];
  readonly rows: readonly SceneRow[];
  /** The row of each item; -1 if it has none. */
  readonly rowOf: readonly number[];
  /** A number from 0 for calls and texts that repeat, the most frequent first; -1 for those that occur once. */
  readonly colours: readonly number[];
  /** Whether each item is in a loop. */
  readonly inLoop: readonly boolean[];
  readonly sameCalls: readonly Arc[];
  readonly sameResults: readonly Arc[];
  readonly spans: readonly Span[];
  /** All lanes; the main one is undefined. */
  readonly lanes: readonly (string | undefined)[];
  /** The share of all progress up to each item, 0..1. */
  readonly progress: readonly number[];
}

export interface SceneRow {
  readonly name: string;
  readonly type: 'user' | 'thinks' | 'says' | 'tool' | 'session';
}

/** Joins an item with the next equal one. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

/** The part of the picture that a loop takes, and the item at which it was first seen. */
export interface Span {
  readonly loop: LoopSummary;
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
  readonly seen: number;
}

export type Axis = 'order' | 'time';

const mostTools = 10;
/** A gap stands for many events, so it is wider than an item. */
const gapShare = 0.05;

export function sceneOf(items: readonly Item[], loops: readonly LoopSummary[], axis: Axis): Scene {
  const gapWidth = Math.max(4, items.length * gapShare);
  const { places, width } = axis === 'time' && hasTimes(items) ? byTime(items) : byOrder(items, gapWidth);
  const { rows, rowOf } = rowsOf(items);
  const spans = loops.flatMap((loop) => spanOf(loop, items, places, width));
  const looping = spans.filter(({ loop }) => loop.status === 'looping');
  const inLoop = items.map((item, k) =>
    looping.some(({ loop, first, last }) => k >= first && k <= last && loop.lane === item.lane),
  );
  const sum = items.reduce((total, { progress }) => total + progress, 0);
  let done = 0;
  return {
    items,
    width,
    gapWidth,
    places,
    rows,
    rowOf,
    inLoop,
    colours: coloursOf(items, inLoop),
    sameCalls: arcsOf(items, ({ same }) => same),
    sameResults: arcsOf(items, ({ outcome }) => outcome),
    spans,
    lanes: [...new Set(items.map(({ lane }) => lane))],
    progress: items.map(({ progress }) => {
      done += progress;
      return sum === 0 ? 0 : done / sum;
    }),
  };
}

/** Whether time can be an axis: nearly all items have a time, and not all the same. */
export function hasTimes(items: readonly Item[]): boolean {
  const times = items.flatMap(({ at }) => (at === undefined ? [] : [at]));
  return times.length > 1 && times.length >= items.length * 0.9 && times.at(-1)! > times[0]!;
}

/** The item nearest to a place; -1 if there is none. */
export function itemAt({ places }: Scene, place: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low > 0 && place - places[low - 1]! < places[low]! - place ? low - 1 : places.length === 0 ? -1 : low;
}

/** The item that contains an event, or the last one before it. */
export function itemOfEvent(items: readonly Item[], event: number): number {
  const holding = items.findIndex(({ seq, last }) => event >= seq && event <= last);
  if (holding >= 0) return holding;
  const after = items.findIndex(({ seq }) => seq > event);
  return after < 0 ? items.length - 1 : Math.max(0, after - 1);
}

/** The first loop that begins after an item, or else the first loop; -1 if there is none. */
export function nextSpan(spans: readonly Span[], item: number): number {
  const inOrder = spans.map(({ first }, k) => ({ first, k })).sort((a, b) => a.first - b.first);
  return (inOrder.find(({ first }) => first > item) ?? inOrder[0])?.k ?? -1;
}

function byOrder(items: readonly Item[], gapWidth: number): { places: number[]; width: number } {
  let width = 0;
  const places = items.map(({ type }) => {
    const own = type === 'gap' ? gapWidth : 1;
    width += own;
    return width - own / 2;
  });
  return { places, width: Math.max(1, width) };
}

function byTime(items: readonly Item[]): { places: number[]; width: number } {
  const times: number[] = [];
  for (const { at } of items) times.push(Math.max(at ?? 0, times.at(-1) ?? items.find((item) => item.at)?.at ?? 0));
  const first = times[0]!;
  const length = Math.max(1, times.at(-1)! - first);
  const width = items.length;
  return { places: times.map((time) => 0.5 + ((time - first) / length) * (width - 1)), width };
}

function rowsOf(items: readonly Item[]): { rows: SceneRow[]; rowOf: number[] } {
  const counts = new Map<string, number>();
  for (const { type, tool = '' } of items) if (type === 'call') counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
  const own = new Set(byCount.length > mostTools ? byCount.slice(0, mostTools - 1) : byCount);
  const rest = `${byCount.length - own.size} other tools`;
  const has = (...types: Item['type'][]) => items.some(({ type }) => types.includes(type));
  const rows: SceneRow[] = [
    ...(has('prompt') ? [{ name: 'user', type: 'user' } as const] : []),
    ...(has('thinks') ? [{ name: 'thinks', type: 'thinks' } as const] : []),
    ...(has('says') ? [{ name: 'says', type: 'says' } as const] : []),
    ...[...counts.keys()].filter((tool) => own.has(tool)).map((name) => ({ name, type: 'tool' }) as const),
    ...(own.size < byCount.length ? [{ name: rest, type: 'tool' } as const] : []),
    ...(has('retry', 'compaction', 'steer', 'opinion') ? [{ name: 'session', type: 'session' } as const] : []),
  ];
  const rowNamed = (type: SceneRow['type'], name: string) =>
    rows.findIndex((row) => row.type === type && row.name === name);
  const rowOf = items.map(({ type, tool = '' }) => {
    if (type === 'gap') return -1;
    if (type === 'call') return rowNamed('tool', own.has(tool) ? tool : rest);
    if (type === 'prompt') return rowNamed('user', 'user');
    return type === 'says' || type === 'thinks' ? rowNamed(type, type) : rowNamed('session', 'session');
  });
  return { rows, rowOf };
}

/** What repeats within loops comes first, then what repeats most often. */
function coloursOf(items: readonly Item[], inLoop: readonly boolean[]): number[] {
  const counts = new Map<number, number>();
  for (const [k, { same }] of items.entries())
    if (same !== undefined) counts.set(same, (counts.get(same) ?? 0) + (inLoop[k] ? 1000 : 1));
  const times = new Map<number, number>();
  for (const { same } of items) if (same !== undefined) times.set(same, (times.get(same) ?? 0) + 1);
  const ranks = new Map(
    [...counts]
      .filter(([same]) => times.get(same)! > 1)
      .sort((a, b) => b[1] - a[1])
      .map(([same], rank) => [same, rank]),
  );
  return items.map(({ same }) => (same === undefined ? -1 : (ranks.get(same) ?? -1)));
}

function arcsOf(items: readonly Item[], classOf: (item: Item) => number | undefined): Arc[] {
  const last = new Map<number, number>();
  const arcs: Arc[] = [];
  for (const [k, item] of items.entries()) {
    const own = classOf(item);
    if (own === undefined) continue;
    const from = last.get(own);
    if (from !== undefined) arcs.push({ from, to: k });
    last.set(own, k);
  }
  return arcs;
}

function spanOf(loop: LoopSummary, items: readonly Item[], places: readonly number[], width: number): Span[] {
  const isIn = ({ seq, last, lane, type }: Item) =>
    last >= loop.onset && seq <= loop.until && (lane === loop.lane || type === 'gap');
  const first = items.findIndex(isIn);
  if (first < 0) return [];
  const last = items.findLastIndex(isIn);
  const seen = Math.min(last, Math.max(first, itemOfEvent(items, loop.seq)));
  return [
    { loop, first, last, seen, from: Math.max(0, places[first]! - 0.5), to: Math.min(width, places[last]! + 0.5) },
  ];
}
