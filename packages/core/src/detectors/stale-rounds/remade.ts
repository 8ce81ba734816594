import type { Step } from '../../step/step.js';
import { callAt, callSeqAt, type Ledger, promptsAt, rowOf, rowsIn, statusAt, statusCode, steadyAt } from './ledger.js';

/** What is remembered of each of the last steps. */
export type Told = { tool: string; about: string; call: number; target: number; wrote: boolean };

/** What is switched back and forth is in another state each time: this is how much news that is, in thousandths. */
export const switchedBack = 300;

/** A change that was made again after it had been undone. */
export interface Remade {
  /** Whether another change of that thing undid it before, whatever either brought. */
  readonly switched: boolean;
  /** How many times so far, if something failed each time, and the index of the call that made it the second time. */
  readonly times: number;
  readonly onset: number;
}

/**
 * How many times exactly the same change of a thing was made, each time after something had failed with it and another
 * change of that thing undid it, whatever else was done in between. An agent that switches a thing on and off to
 * measure it has no failure. The row of the step is the last; `recent` are the steps before it, oldest first.
 */
export function remadeBy(ledger: Ledger, recent: readonly Told[], prompts: number, step: Step): Remade {
  const { call, callSeq: onset, target, mutated, shell } = step;
  const once = { switched: false, times: 1, onset };
  if (!mutated || shell || target === 0) return once;
  const made = recent.findLastIndex((one) => one.wrote && one.call === call);
  if (made < 0 || !recent.slice(made + 1).some((one) => one.wrote && one.target === target)) return once;
  const switched = { ...once, switched: true };
  const { rows } = ledger;
  let times = 1;
  let since = onset;
  let before = onset;
  let failed = false;
  for (let back = 2; back <= rowsIn(ledger); back++) {
    const row = rowOf(ledger, back);
    if (times === 1 && rows[row + statusAt] === statusCode.failed) failed = true;
    if (rows[row + callAt] !== call || rows[row + promptsAt] !== prompts) continue;
    if (!failed) return switched;
    if (times === 1) times = 1 + Math.max(1, rows[row + steadyAt]!);
    else since = before;
    before = rows[row + callSeqAt]!;
  }
  return { ...switched, times, onset: since };
}
