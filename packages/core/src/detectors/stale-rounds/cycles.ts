import type { Step } from '../../step/step.js';
import {
  callAt,
  callSeqAt,
  exactAt,
  type Ledger,
  outcomeAt,
  promptsAt,
  rowOf,
  rowsIn,
  seqAt,
  size,
  waitsAt,
  width,
} from './ledger.js';

/**
 * Calls that go round with exactly the same outcomes: A A A…, A B A B…, A B C A B C…. Whatever comes between two rounds
 * came before as well, so none of it is news.
 */
export interface Cycles {
  /** For each period p, at [p - 1]: how many steps in a row equalled the one p before; and with which call they began. */
  runs: number[];
  starts: number[];
}

/** A cycle that ends with the current step. */
export interface Cycle {
  readonly period: number;
  /** Complete rounds. */
  readonly rounds: number;
  /** Index of the call with which the second round began. */
  readonly onset: number;
}

const lastRow = (size - 1) * width;
/** The longest cycle, in calls. */
export const longestCycle = 16;

export function noCycles(): Cycles {
  return { runs: new Array<number>(longestCycle).fill(0), starts: new Array<number>(longestCycle).fill(0) };
}

/**
 * Adds the step of the last row. Returns the shortest cycle that has gone round `needed` times, else the shortest cycle
 * of several calls that has gone round twice.
 */
export function followCycles({ runs, starts }: Cycles, ledger: Ledger, step: Step, needed: number): Cycle | undefined {
  const { rows } = ledger;
  const { call } = step;
  const own = rowOf(ledger, 1);
  const before = rowsIn(ledger) - 1;
  // A run that succeeds may be repeated for the numbers it prints.
  const outcome = step.effect === 'run' && step.status === 'ok' ? exactAt : outcomeAt;
  let found: Cycle | undefined;
  let row = own;
  for (let period = 1; period <= longestCycle; period++) {
    const k = period - 1;
    row = row === 0 ? lastRow : row - width;
    if (period > before || rows[row + callAt] !== call || !isSame(rows, own, row, outcome)) {
      runs[k] = 0;
      continue;
    }
    if (runs[k] === 0) starts[k] = step.callSeq;
    const rounds = Math.floor(++runs[k]! / period) + 1;
    const isBetter = rounds >= needed ? !found || found.rounds < needed : !found && period > 1 && rounds > 1;
    if (isBetter) found = { period, rounds, onset: starts[k]! };
  }
  return found;
}

/** For two rows of one call: the same outcome, known before the second call, with no wait and no prompt since. */
function isSame(rows: Int32Array, own: number, row: number, outcome: number): boolean {
  return (
    rows[row + outcome] === rows[own + outcome] &&
    rows[row + waitsAt] === rows[own + waitsAt] &&
    rows[row + promptsAt] === rows[own + promptsAt] &&
    rows[row + seqAt]! < rows[own + callSeqAt]! &&
    rows[own + callAt] !== 0
  );
}
