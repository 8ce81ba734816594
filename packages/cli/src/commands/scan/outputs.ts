import { writeFileSync } from 'node:fs';
import { messageOf } from 'loopfuse/words';
import { createMask } from '../../recorded/mask.js';
import type { Terminal } from '../../terminal/terminal.js';
import { appendWhole, writeWhole } from '../../write-whole.js';
import type { Gaps } from './gaps.js';
import type { Row } from './table.js';

/** Writes each output and returns whether all were written. A failure is reported and does not affect the others. */
export async function writeEach(outputs: readonly (() => Promise<void>)[], err: Terminal): Promise<boolean> {
  let isWhole = true;
  for (const write of outputs) {
    try {
      await write();
    } catch (cause) {
      isWhole = false;
      await err.write(`${err.paint(err.say(`error: ${messageOf(cause)}`), 'red')}\n`);
    }
  }
  return isWhole;
}

export async function writeSarif(file: string | undefined, rows: readonly Row[], gaps: Gaps): Promise<void> {
  if (file === undefined) return;
  const { sarif } = await import('./sarif.js');
  const text = sarif(masked(rows), process.cwd(), gaps);
  await named('--sarif', file, () => writeWhole(file, (whole) => writeFileSync(whole, text)));
}

export async function writeSummary(
  file: string | undefined,
  rows: readonly Row[],
  sessions: number,
  gaps: Gaps,
): Promise<void> {
  if (file === undefined) return;
  const { markdownSummary } = await import('./markdown-summary.js');
  await named('--summary', file, () => appendWhole(file, markdownSummary(masked(rows), sessions, gaps)));
}

/** What a code host shows leaves the machine: what a loop quotes from its session is masked, as in the report. */
function masked(rows: readonly Row[]): readonly Row[] {
  const mask = createMask();
  return rows.map((row) => ({ ...row, loop: { ...row.loop, message: mask.text(row.loop.message) } }));
}

/** Adds the option and the file to an error. */
async function named(option: string, file: string, write: () => void | Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new Error(`${option}: ${JSON.stringify(file)} could not be written: ${messageOf(cause)}`);
  }
}
