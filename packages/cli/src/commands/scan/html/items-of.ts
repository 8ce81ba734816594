import type { Item } from '@loopfuse/dashboard';
import { slidingPercent } from './novelty.js';
import { isKept, type Plan } from './plan.js';

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** An item whose novelty is not known before all are: how new it is by itself, and how much that counts. */
export type Draft = Writable<Omit<Item, 'novelty'>> & {
  /** Undefined for what is neither call nor text. */
  fresh: number | undefined;
  weight: number;
};

/** The number of items over which novelty is averaged. */
const noveltyWindow = 8;

/** The items of a timeline, in order. */
export function itemsOf(drafts: readonly Draft[], plan: Plan): Item[] {
  const ordered = [...drafts].sort((a, b) => a.seq - b.seq);
  return gathered(withNovelty(ordered), plan);
}

/** Items that are neither calls nor text get the novelty of the item before them in their lane. */
function withNovelty(drafts: readonly Draft[]): Item[] {
  const percents = new Map<Draft, number>();
  for (const lane of new Set(drafts.map((draft) => draft.lane))) {
    const own = drafts.filter((draft) => draft.lane === lane && draft.fresh !== undefined);
    const weighed = own.map(({ fresh = 0, weight }) => ({ fresh, weight }));
    for (const [k, percent] of slidingPercent(weighed, noveltyWindow).entries()) percents.set(own[k]!, percent);
  }
  const last = new Map<string | undefined, number>();
  return drafts.map((draft) => {
    const novelty = percents.get(draft) ?? last.get(draft.lane) ?? 100;
    last.set(draft.lane, novelty);
    const { fresh: _, weight: __, ...item } = draft;
    return { ...item, novelty };
  });
}

/** Items that are not kept are combined into gaps with their totals. */
function gathered(items: readonly Item[], plan: Plan): Item[] {
  const kept: Item[] = [];
  for (const item of items) {
    if (isKept(plan, item.seq)) {
      kept.push(item);
      continue;
    }
    const last = kept.at(-1);
    const { seq, at, novelty, progress, tokens, calls } = item;
    if (last?.type !== 'gap') {
      const time = at === undefined ? {} : { at };
      kept.push({ type: 'gap', seq, last: item.last, ...time, novelty, progress, tokens, calls, text: '' });
      continue;
    }
    kept[kept.length - 1] = {
      ...last,
      last: Math.max(last.last, item.last),
      novelty,
      progress: last.progress + progress,
      tokens: last.tokens + tokens,
      calls: last.calls + calls,
    };
  }
  return kept;
}
