import { addText, noBlocks, textOf } from '@loopfuse/conversation';
import type { Card, Item, ItemOf, NewItem } from './item.js';
import type { ViewState } from './view-state.js';

/** More of the end of a tool's output than anybody reads here. */
const mostStreamed = 50_000;
/** More than this nobody listens to at once. */
const mostHeard = { characters: 1500, entries: 8 } as const;

/** Adds to the answer, or to the thinking. Whatever else was being said is done. */
export function speak(state: ViewState, type: 'says' | 'thinks', text: string): ViewState {
  const last = state.items.at(-1);
  if (last?.type !== type || !last.open)
    return append(closeSpeech(state), { type, text: addText(noBlocks, text), open: true });
  return withItem(state, state.items.length - 1, { ...last, text: addText(last.text, text) });
}

export function addCard(state: ViewState, card: Card): ViewState {
  return append(closeSpeech(state), { type: 'tool', ...card });
}

export function streamTo(state: ViewState, id: string, text: string): ViewState {
  return changeCard(state, id, (card) => ({ ...card, streamed: (card.streamed + text).slice(-mostStreamed) }));
}

export function finishCard(
  state: ViewState,
  id: string,
  result: Pick<Card, 'status' | 'output' | 'display'>,
): ViewState {
  return changeCard(state, id, (card) => ({ ...card, ...result }));
}

/** Adds something that stands for itself. */
export function add(state: ViewState, item: NewItem): ViewState {
  return append(closeSpeech(state), item);
}

/** Nothing is going on any more: what was being said is done, and calls without a result were dropped. */
export function finish(state: ViewState): ViewState {
  const closed = closeSpeech(state);
  if (!closed.items.some(isPending)) return closed;
  return {
    ...closed,
    items: closed.items.map((item) => (isPending(item) ? { ...item, status: 'not-run' as const } : item)),
  };
}

/** Has something read out. */
export function say(state: ViewState, text: string): ViewState {
  const words = text.trim();
  if (words === '') return state;
  const short = words.length > mostHeard.characters ? `${words.slice(0, mostHeard.characters)} …` : words;
  return {
    ...state,
    heard: [...state.heard, { key: state.next, text: short }].slice(-mostHeard.entries),
    next: state.next + 1,
  };
}

/** Changes the latest item for which there is a change. */
export function changeLatest<Type extends Item['type']>(
  state: ViewState,
  type: Type,
  change: (item: ItemOf<Type>) => Item | undefined,
): ViewState {
  for (let k = state.items.length - 1; k >= 0; k--) {
    const item = state.items[k]!;
    const changed = item.type === type ? change(item as ItemOf<Type>) : undefined;
    if (changed !== undefined) return withItem(state, k, changed);
  }
  return state;
}

function isPending(item: Item): item is ItemOf<'tool'> {
  return item.type === 'tool' && item.status === 'pending';
}

/** What was being said is done. Nothing is left of what was blank, and an answer is read out. */
function closeSpeech(state: ViewState): ViewState {
  const last = state.items.at(-1);
  if ((last?.type !== 'says' && last?.type !== 'thinks') || !last.open) return state;
  const text = textOf(last.text);
  if (text.trim() === '') return { ...state, items: state.items.slice(0, -1) };
  const closed = withItem(state, state.items.length - 1, { ...last, open: false });
  return last.type === 'says' ? say(closed, text) : closed;
}

function changeCard(state: ViewState, id: string, change: (card: ItemOf<'tool'>) => Item): ViewState {
  return changeLatest(state, 'tool', (card) => (card.call.id === id ? change(card) : undefined));
}

function append(state: ViewState, item: NewItem): ViewState {
  return { ...state, items: [...state.items, { key: state.next, ...item }], next: state.next + 1 };
}

function withItem(state: ViewState, index: number, item: Item): ViewState {
  const items = state.items.slice();
  items[index] = item;
  return { ...state, items };
}
