import { type Row, wasteOf } from './row.js';

/** What sessions come to together. */
export interface Totals {
  readonly sessions: number;
  readonly looping: number;
  readonly loops: number;
  readonly suspicions: number;
  readonly calls: number;
  readonly waste: ReturnType<typeof wasteOf>;
  /** Loops of which it is not known. */
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
    waste: wasteOf(loops),
    withoutTokens: loops.filter(({ waste }) => waste.tokens === undefined).length,
    withoutCost: loops.filter(({ waste }) => waste.cost === undefined).length,
    withoutMinutes: loops.filter(({ waste }) => waste.minutes === undefined).length,
  };
}
