/** Which events of a session a report holds one by one: both ends are kept, in order, apart. */
export type Plan = readonly Stretch[];

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Seen {
  readonly onset: number;
  readonly until: number;
}

/** How much of one session is kept, and how much of it before and after each loop. */
const mostEvents = 4000;
const around = 120;
/** The loops around which events are kept; of further loops they are not. */
const mostLoops = 16;

/** All events of a session of moderate length; of a longer one its loops, of long loops both ends, and how it began. */
export function planTimeline(events: number, loops: readonly Seen[]): Plan {
  if (events <= mostEvents) return [{ from: 0, to: Math.max(0, events - 1) }];
  const near = loops.slice(0, mostLoops);
  const share = Math.floor((mostEvents - around) / Math.max(1, near.length));
  const stretches: Stretch[] = [{ from: 0, to: around - 1 }];
  for (const { onset, until } of near) {
    const from = Math.max(0, onset - around);
    const to = Math.min(events - 1, until + around);
    if (to - from < share) stretches.push({ from, to });
    else {
      const half = Math.floor(share / 2);
      stretches.push({ from, to: from + half - 1 }, { from: to - half + 1, to });
    }
  }
  return merged(stretches);
}

/** Whether an event is in it. `plan` is short. */
export function isKept(plan: Plan, seq: number): boolean {
  return plan.some(({ from, to }) => seq >= from && seq <= to);
}

function merged(stretches: readonly Stretch[]): Plan {
  const ordered = [...stretches].sort((a, b) => a.from - b.from);
  const apart: Stretch[] = [];
  for (const stretch of ordered) {
    const last = apart.at(-1);
    if (last && stretch.from <= last.to + 1)
      apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) };
    else apart.push(stretch);
  }
  return apart;
}
