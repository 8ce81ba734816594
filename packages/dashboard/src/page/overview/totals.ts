import { type Row, sumOfKnown, wasteOf } from './row.js';

/** What sessions come to together. */
export interface Totals {
  readonly sessions: number;
  readonly looping: number;
  readonly loops: number;
  readonly suspicions: number;
  readonly calls: number;
  /** What all sessions used, in loops or not, as far as it is known. */
  readonly used: { readonly cost: number | undefined; readonly tokens: number | undefined };
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

/** How much of everything went into loops: of the money where it is known, else of the tokens, else of the calls. */
export function shareOf({
  waste,
  used,
  calls,
  loops,
}: Totals): { readonly part: number; readonly of: string } | undefined {
  if (loops === 0) return undefined;
  if (waste.cost !== undefined && used.cost !== undefined && used.cost > 0)
    return { part: Math.min(1, waste.cost / used.cost), of: 'spend' };
  if (waste.tokens !== undefined && used.tokens !== undefined && used.tokens > 0)
    return { part: Math.min(1, waste.tokens / used.tokens), of: 'tokens' };
  return calls > 0 ? { part: Math.min(1, waste.calls / calls), of: 'calls' } : undefined;
}
