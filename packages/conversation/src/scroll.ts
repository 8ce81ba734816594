import { addText, noBlocks, textOf } from './blocks.js';
import type { Card } from './card.js';
import type { Item, ItemOf } from './item.js';

/**
 * The entries of a conversation: `items` are final, `live` may still change. A delta changes only `live`, which is short.
 * `items` is replaced only when an entry becomes final.
 */
export interface Scroll {
  readonly items: readonly Item[];
  readonly live: readonly Item[];
}

/** The end of a tool's output is kept: at least this many characters, and at most twice as many. */
const keptOfOutput = 25_000;

/** Adds to the answer or to the thinking. The other one ends. */
export function speak(scroll: Scroll, type: 'says' | 'thinks', text: string): Scroll {
  const at = openSpeech(scroll);
  const open = at < 0 ? undefined : (scroll.live[at] as Speech);
  if (open?.type === type)
    return { ...scroll, live: scroll.live.with(at, { ...open, text: addText(open.text, text) }) };
  return push(scroll, { type, text: addText(noBlocks, text), open: true });
}

/** Adds items after the current text, which ends. */
export function push(scroll: Scroll, ...items: readonly Item[]): Scroll {
  const { items: before, live } = closeSpeech(scroll);
  return settle({ items: before, live: [...live, ...items] });
}

/** Adds an item after the current text, which continues. */
export function pushAside({ items, live }: Scroll, item: Item): Scroll {
  return settle({ items, live: [...live, item] });
}

/** Adds an item above everything that may still change, to show it immediately. */
export function pushAbove({ items, live }: Scroll, item: Item): Scroll {
  return { items: [...items, item], live };
}

export function streamTo(scroll: Scroll, id: string, text: string): Scroll {
  return changeCard(scroll, id, (card) => {
    const streamed = card.streamed + text;
    if (streamed.length <= 2 * keptOfOutput) return { ...card, streamed };
    const cut = streamed.length - keptOfOutput;
    const linesBefore = (card.linesBefore ?? 0) + newlinesIn(streamed, cut);
    return { ...card, streamed: streamed.slice(cut), linesBefore };
  });
}

function newlinesIn(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

type Result = Pick<Card, 'status' | 'output' | 'display' | 'instead' | 'milliseconds'>;

export function finishCard(scroll: Scroll, id: string, result: Result): Scroll {
  return settle(changeCard(scroll, id, (card) => ({ ...card, ...result })));
}

/** Nothing is running any more: the current text ends, and calls without a result were not run. */
export function finish(scroll: Scroll): Scroll {
  const closed = closeSpeech(scroll);
  if (!closed.live.some(isPending)) return settle(closed);
  return settle({
    ...closed,
    live: closed.live.map((item) => (isPending(item) ? { ...item, status: 'not-run' as const } : item)),
  });
}

/** Changes the open loop, if there is one. */
export function changeOpenLoop(scroll: Scroll, change: (card: ItemOf<'loop'>) => ItemOf<'loop'>): Scroll {
  const at = scroll.live.findLastIndex(isOpenLoop);
  return at < 0 ? scroll : settle({ ...scroll, live: scroll.live.with(at, change(scroll.live[at] as ItemOf<'loop'>)) });
}

export function isOpenLoop(item: Item): item is ItemOf<'loop'> {
  return item.type === 'loop' && item.state !== 'answered';
}

type Speech = ItemOf<'says' | 'thinks'>;

/** The index of the current text in `live`. */
function openSpeech({ live }: Scroll): number {
  return live.findLastIndex(isOpenSpeech);
}

function isOpenSpeech(item: Item): item is Speech {
  return (item.type === 'says' || item.type === 'thinks') && item.open;
}

/** Ends the current text. A blank one is removed. */
function closeSpeech(scroll: Scroll): Scroll {
  const at = openSpeech(scroll);
  if (at < 0) return scroll;
  const { live } = scroll;
  const speech = live[at] as Speech;
  if (textOf(speech.text).trim() === '') return { ...scroll, live: live.toSpliced(at, 1) };
  return { ...scroll, live: live.with(at, { ...speech, open: false }) };
}

/** Moves the first entries that cannot change any more to `items`. */
function settle({ items, live }: Scroll): Scroll {
  const open = live.findIndex(mayChange);
  if (open === 0 || live.length === 0) return { items, live };
  return open < 0
    ? { items: [...items, ...live], live: [] }
    : { items: [...items, ...live.slice(0, open)], live: live.slice(open) };
}

function mayChange(item: Item): boolean {
  return isPending(item) || isOpenLoop(item) || isOpenSpeech(item);
}

function isPending(item: Item): item is ItemOf<'tool'> {
  return item.type === 'tool' && item.status === 'pending';
}

function changeCard(scroll: Scroll, id: string, change: (card: ItemOf<'tool'>) => Item): Scroll {
  const { live } = scroll;
  const at = live.findLastIndex((item) => item.type === 'tool' && item.call.id === id);
  return at < 0 ? scroll : { ...scroll, live: live.with(at, change(live[at] as ItemOf<'tool'>)) };
}
