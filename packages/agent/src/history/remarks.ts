import type { Message, Remark } from './message.js';

/** The history with a remark after its last message. Before the first message there is nothing to remark on. */
export function remarked(history: readonly Message[], ...remarks: readonly Remark[]): readonly Message[] {
  const last = history.at(-1);
  if (last === undefined || remarks.length === 0) return history;
  return [...history.slice(0, -1), { ...last, remarks: [...(last.remarks ?? []), ...remarks] }];
}

/** The history without its last message; what was remarked on there stays. */
export function withoutLast(history: readonly Message[]): readonly Message[] {
  return remarked(history.slice(0, -1), ...(history.at(-1)?.remarks ?? []).map(({ event }) => ({ event })));
}
