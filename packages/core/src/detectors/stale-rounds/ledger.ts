import { checked, nonNegative } from '../../shape.js';
import type { Step } from '../../step/step.js';
import { packUnits, unpackUnits } from '../../value/pack.js';
import { writeSketch } from '../../value/sketch.js';

/**
 * The last steps of a lane as numbers in one ring: what each asked, what came back, and how much news there had been by
 * then. Rows are of a fixed width, so that the ledger is small, quick to compare with and quick to save.
 */
export interface Ledger {
  readonly rows: Int32Array;
  /** How many rows have ever been written. */
  written: number;
}

/** How many rows: the current step, and those before it that it is compared with. */
export const size = 25;

/* The position of each field in a row. */
export const callAt = 0;
export const skeletonAt = 1;
export const toolAt = 2;
export const targetAt = 3;
export const sketchAt = 4; // four numbers
export const saidAt = 8; // four numbers
export const numbersAt = 12; // four numbers
export const exactAt = 16;
export const outcomeAt = 17;
export const errorLineAt = 18; // 0 where it did not fail, or says nothing about why
export const statusAt = 19;
export const lettersAt = 20;
export const callSeqAt = 21;
export const seqAt = 22;
export const newsAt = 23; // of the lane so far, in thousandths
export const batchAt = 24;
export const waitsAt = 25;
export const acceptedAt = 26;
export const promptsAt = 27;
export const thoughtAt = 28;
export const failuresAt = 29; // equal ones up to this, in hundredths
export const steadyAt = 30; // how often this call has failed in this way, and in no other
export const width = 31;

export const statusCode = { ok: 0, failed: 1, unseen: 2 } as const satisfies { [status in Step['status']]: number };

export function createLedger(): Ledger {
  return { rows: new Int32Array(size * width), written: 0 };
}

/** Where the row of the step `back` steps ago begins: 1 is the last. */
export function rowOf({ written }: Ledger, back: number): number {
  return ((written - back) % size) * width;
}

export function rowsIn({ written }: Ledger): number {
  return Math.min(written, size);
}

/** Adds a row for a step and returns its position. It takes the place of the oldest row. */
export function addRow(ledger: Ledger, step: Step, tool: number): number {
  const { rows } = ledger;
  const row = (ledger.written % size) * width;
  ledger.written++;
  rows[row + callAt] = step.call;
  rows[row + skeletonAt] = step.skeleton;
  rows[row + toolAt] = tool;
  rows[row + targetAt] = step.target;
  writeSketch(rows, row + sketchAt, step.sketch);
  writeSketch(rows, row + saidAt, step.said);
  writeSketch(rows, row + numbersAt, step.numbers);
  rows[row + exactAt] = step.exact;
  rows[row + outcomeAt] = step.outcome;
  rows[row + errorLineAt] = step.error === undefined || step.error.bare ? 0 : step.error.line;
  rows[row + statusAt] = statusCode[step.status];
  rows[row + lettersAt] = step.letters;
  rows[row + thoughtAt] = step.thought;
  rows[row + callSeqAt] = step.callSeq;
  rows[row + seqAt] = step.seq;
  return row;
}

type SavedLedger = { readonly written: number; readonly rows: string };

export function saveLedger({ rows, written }: Ledger): SavedLedger {
  const used = rows.subarray(0, Math.min(written, size) * width);
  return { written, rows: packUnits(new Uint16Array(used.slice().buffer)) };
}

/** A ledger read back from a snapshot. Throws when it is not valid. */
export function loadLedger(saved: unknown): Ledger {
  const { written, rows } = checked({ written: nonNegative, rows: '' }, saved, 'ledger') as unknown as SavedLedger;
  const units = unpackUnits(rows);
  const ledger = { ...createLedger(), written };
  const used = rowsIn(ledger) * width;
  if (units.length !== used * 2) throw new TypeError(`ledger.rows: expected ${used * 2} units, got ${units.length}`);
  for (let k = 0; k < used; k++) ledger.rows[k] = units[2 * k]! | (units[2 * k + 1]! << 16);
  return ledger;
}
