import type { Block, Card, Item } from './item.js';

/** What was said and done: `items` for good, `live` as long as it may change. */
export interface Scroll {
  readonly items: readonly Item[];
  readonly live: readonly Block[];
}

/** More of the end of a tool's output than anybody is shown. */
const mostStreamed = 4000;

/** Adds to the answer. Whole blocks of markdown become items, so that what may still change stays small. */
export function say(scroll: Scroll, text: string): Scroll {
  const last = scroll.live.at(-1);
  if (last?.type !== 'says') return settle({ ...scroll, live: [...scroll.live, { type: 'says', text }] });
  const whole = last.text + text;
  const before = scroll.live.slice(0, -1);
  const cut = text.includes('\n') && before.length === 0 ? safeCut(whole) : 0;
  if (cut === 0) return { ...scroll, live: [...before, { ...last, text: whole }] };
  return {
    items: [...scroll.items, { ...last, text: whole.slice(0, cut) }],
    live: [{ type: 'says', text: whole.slice(cut) }],
  };
}

export function think(scroll: Scroll, text: string, full: boolean): Scroll {
  const last = scroll.live.at(-1);
  if (last?.type !== 'thinks') return settle({ ...scroll, live: [...scroll.live, { type: 'thinks', text, full }] });
  return { ...scroll, live: [...scroll.live.slice(0, -1), { ...last, text: last.text + text }] };
}

export function addCard(scroll: Scroll, card: Card): Scroll {
  return settle({ ...scroll, live: [...scroll.live, { type: 'tool', ...card }] });
}

export function streamTo(scroll: Scroll, id: string, text: string): Scroll {
  return changeCard(scroll, id, (card) => ({ ...card, streamed: (card.streamed + text).slice(-mostStreamed) }));
}

export function finishCard(scroll: Scroll, id: string, result: Pick<Card, 'status' | 'output' | 'display'>): Scroll {
  return settle(changeCard(scroll, id, (card) => ({ ...card, ...result })));
}

/** Adds something that does not change; everything before it is done. */
export function add(scroll: Scroll, ...items: readonly Item[]): Scroll {
  const { items: all } = finish(scroll);
  return { items: [...all, ...items], live: [] };
}

/** Everything becomes an item. Calls without a result were dropped. */
export function finish({ items, live }: Scroll): Scroll {
  if (live.length === 0) return { items, live };
  const done = live.map((block): Item => {
    return block.type === 'tool' && block.status === 'pending' ? { ...block, status: 'not-run' } : block;
  });
  return { items: [...items, ...done.filter(isWorthIt)], live: [] };
}

/** What stands at the front and cannot change any more becomes items. */
function settle({ items, live }: Scroll): Scroll {
  const open = live.findIndex((block, k) =>
    block.type === 'tool' ? block.status === 'pending' : k === live.length - 1,
  );
  if (open === 0) return { items, live };
  const done = open < 0 ? live : live.slice(0, open);
  return { items: [...items, ...done.filter(isWorthIt)], live: open < 0 ? [] : live.slice(open) };
}

function isWorthIt(block: Item): boolean {
  return block.type === 'tool' || !('text' in block) || block.text.trim() !== '';
}

function changeCard(scroll: Scroll, id: string, change: (card: Card) => Card): Scroll {
  return {
    ...scroll,
    live: scroll.live.map((block) =>
      block.type === 'tool' && block.call.id === id ? { type: 'tool', ...change(block) } : block,
    ),
  };
}

/**
 * Up to where the text is made of whole blocks: the last blank line outside a code block that is followed by something
 * that begins at the margin and is no item of a list, and so cannot carry a list on. 0 where there is none. The last
 * line does not count: nobody knows what becomes of it.
 */
export function safeCut(text: string): number {
  let fence: string | undefined;
  let blank = false;
  let cut = 0;
  let at = 0;
  for (const line of text.split('\n').slice(0, -1)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && blank && /^(?![-*+] |\d+[.)] )\S/.test(line)) cut = at;
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
    blank = fence === undefined && line.trim() === '';
    at += line.length + 1;
  }
  return cut;
}
