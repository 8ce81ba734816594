import type { Row } from './row.js';
import { shareOf, totalsOf } from './totals.js';

/** How the share that went into loops has changed between the earlier and the later half of the dated sessions. */
export interface Trend {
  readonly before: number;
  readonly after: number;
  /** What it is a share of. */
  readonly of: string;
  readonly direction: 'better' | 'worse' | 'same';
  /** The first day of the later half. */
  readonly since: number;
}

/** Fewer sessions than this show no trend. */
const fewest = 8;
/** Relative changes below this, or absolute ones below 0.01, count as no change. */
const least = 0.2;

export function trendOf(rows: readonly Row[]): Trend | undefined {
  const dated = rows.filter(({ day }) => day !== undefined).sort((a, b) => a.at! - b.at!);
  const middle = dated.length >> 1;
  const since = dated[middle]?.at;
  if (dated.length < fewest || since === undefined || dated[0]!.day === dated.at(-1)!.day) return undefined;
  const [early, late] = [totalsOf(dated.slice(0, middle)), totalsOf(dated.slice(middle))];
  const of = (shareOf(early) ?? shareOf(late))?.of;
  if (of === undefined) return undefined;
  const [before, after] = [partOf(early, of), partOf(late, of)];
  if (before === undefined || after === undefined) return undefined;
  const change = after - before;
  const isSame = Math.abs(change) < Math.max(0.01, least * before);
  return { before, after, of, since, direction: isSame ? 'same' : change < 0 ? 'better' : 'worse' };
}

/** 0 if there are no loops; undefined for a share of something else, which cannot be compared. */
function partOf(totals: ReturnType<typeof totalsOf>, of: string): number | undefined {
  const share = shareOf(totals);
  return share === undefined ? 0 : share.of === of ? share.part : undefined;
}
