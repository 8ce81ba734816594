import { short } from '../../terminal/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, pad, widthOf, wrap } from '../../terminal/width.js';
import type { LoopReport, SessionReport } from './session-report.js';

/** One loop of one session, as the table shows it. */
export interface Row {
  readonly session: string;
  readonly agent: string;
  readonly file: string;
  readonly loop: LoopReport;
}

/** The rows of a session: its loops, and with `suspects` its suspicions that stayed such. */
export function rowsOf({ session, loops }: SessionReport, suspects: boolean): Row[] {
  return loops
    .filter(({ finding, confirmed }) => finding.status === 'looping' || (suspects && !confirmed))
    .map((loop) => ({
      session: loop.finding.lane === undefined ? session.id : `${session.id} (${loop.finding.lane})`,
      agent: session.agent,
      file: session.file,
      loop,
    }));
}

const headings = ['SESSION', 'AGENT', 'LOOP', 'EVENTS', 'SPENT', 'TOKENS'] as const;
const gap = '  ';
const narrowestSession = 16;
const widestAgent = 16;

/** One line of facts per loop, and below it what happened in words, who saw it, and where. */
export function table(rows: readonly Row[], out: Terminal): string {
  const cells = rows.map((row) => cellsOf(row, out));
  const widths = headings.map((heading, k) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[k]!)), widthOf(heading)),
  );
  const others = widths.slice(1).reduce((sum, width) => sum + width + gap.length, 0);
  widths[0] = Math.min(widths[0]!, Math.max(narrowestSession, out.columns - others));

  const line = (row: readonly string[]) =>
    row.map((cell, k) => pad(fit(cell, widths[k]!, out.glyphs.more), widths[k]!));
  const lines = [out.paint(line(headings).join(gap).trimEnd(), 'dim')];
  for (const [k, row] of rows.entries()) {
    if (k > 0) lines.push('');
    const [session, agent, kind, ...rest] = line(cells[k]!);
    const colour = row.loop.finding.status === 'looping' ? 'red' : 'yellow';
    lines.push([out.paint(session!, 'bold'), agent, out.paint(kind!, colour), ...rest].join(gap).trimEnd());
    lines.push(...below(row, out));
  }
  return `${lines.join('\n')}\n`;
}

function cellsOf({ session, agent, loop }: Row, out: Terminal): string[] {
  const { finding, until, wasteUntil } = loop;
  const { calls, characters, tokens } = wasteUntil;
  return [
    out.say(session),
    fit(out.say(agent), widestAgent, out.glyphs.more),
    finding.status === 'looping' ? finding.kind : `${finding.kind}?`,
    `${finding.onset}${out.glyphs.dash}${until}`,
    finding.tools.length > 0 ? `${short(calls)} calls` : `${short(characters)} chars`,
    tokens > 0 ? short(tokens) : 'unknown',
  ];
}

function below({ loop, file }: Row, out: Terminal): string[] {
  const { message, confidence } = loop.surest;
  const { dot, more } = out.glyphs;
  const words = wrap(out.say(message), out.columns - 2, 3, more).map((line) => `  ${line}`);
  const source = `  ${loop.finding.detector}, ${Math.round(confidence * 100)} % sure ${dot} ${out.say(file)}`;
  return [...words, out.paint(fit(source, out.columns, more), 'dim')];
}
