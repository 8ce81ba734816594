import { percent } from '../words.js';
import { type Row, sumOfKnown, wasteOf } from './row.js';

/** The totals of sessions. */
export interface Totals {
  readonly sessions: number;
  readonly looping: number;
  readonly loops: number;
  readonly suspicions: number;
  readonly calls: number;
  /** The usage of all sessions, in loops or not, as far as it is known. */
  readonly used: { readonly cost: number | undefined; readonly tokens: number | undefined };
  readonly waste: ReturnType<typeof wasteOf>;
  /** The number of loops for which the value is not known. */
  readonly withoutTokens: number;
  readonly withoutCost: number;
  readonly withoutMinutes: number;
}

export function totalsOf(rows: readonly Row[]): Totals {
  const loops = rows.flatMap(({ looping }) => looping);
  return {
    sessions: rows.length,
    looping: rows.filter(({ looping }) => looping.length > 0).length,
    loops: loops.length,
    suspicions: rows.reduce((sum, { session, looping }) => sum + session.loops.length - looping.length, 0),
    calls: rows.reduce((sum, { session }) => sum + session.calls, 0),
    used: {
      cost: sumOfKnown(rows.map(({ session }) => session.used.cost)),
      tokens: sumOfKnown(rows.map(({ session }) => session.used.tokens)),
    },
    waste: wasteOf(loops),
    withoutTokens: loops.filter(({ waste }) => waste.tokens === undefined).length,
    withoutCost: loops.filter(({ waste }) => waste.cost === undefined).length,
    withoutMinutes: loops.filter(({ waste }) => waste.minutes === undefined).length,
  };
}

/** What the shares of loops and of causes are shares of. */
export type Basis = 'cost' | 'tokens' | 'calls';

/** Cost, else tokens, else calls: the first that is known for at least half of the loops. Fewer would say little about all. */
export function basisOf({ waste, used, loops, withoutCost, withoutTokens }: Totals): Basis {
  const isKnown = (part: number | undefined, whole: number | undefined, without: number) =>
    part !== undefined && whole !== undefined && whole > 0 && 2 * without <= loops;
  if (isKnown(waste.cost, used.cost, withoutCost)) return 'cost';
  return isKnown(waste.tokens, used.tokens, withoutTokens) ? 'tokens' : 'calls';
}

/** The share of the total usage that went into loops. */
export function shareOf(totals: Totals): { readonly part: number; readonly of: string } | undefined {
  if (totals.loops === 0) return undefined;
  const basis = basisOf(totals);
  const whole = (basis === 'calls' ? totals.calls : totals.used[basis]) ?? 0;
  const part = totals.waste[basis] ?? 0;
  return whole > 0 ? { part: Math.min(1, part / whole), of: basis === 'cost' ? 'spend' : basis } : undefined;
}

/** "16 % of spend"; "unknown" if there are loops but no recorded usage. */
export function shareInWords(totals: Totals): string {
  const share = shareOf(totals);
  if (share !== undefined) return `${percent(share.part)} of ${share.of}`;
  return totals.loops === 0 ? '0 %' : 'unknown';
}
