import { basename } from 'node:path';
import { short } from 'loopfuse/words';
import { dollars, inTime, onDay } from '../../recorded/amounts.js';
import type { Prices } from '../../recorded/prices.js';
import type { LoopReport, SessionReport } from '../../recorded/session-report.js';
import { type PricedWaste, priced } from '../../recorded/waste.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, pad, widthOf, wrap } from '../../terminal/width.js';

/** One loop of one session, as the table shows it. */
export interface Row {
  readonly session: string;
  readonly agent: string;
  readonly project: string | undefined;
  readonly file: string;
  readonly at: number | undefined;
  readonly loop: LoopReport;
  readonly waste: PricedWaste;
  /** What the loop had used when it was first seen. */
  readonly seen: PricedWaste;
}

/** The rows of a session: its loops, and with `suspects` its suspicions that stayed such. */
export function rowsOf({ session, loops }: SessionReport, suspects: boolean, prices: Prices): Row[] {
  const { id, agent, project, file, model } = session;
  return loops
    .filter(({ finding, confirmed }) => finding.status === 'looping' || (suspects && !confirmed))
    .map((loop) => ({
      session: loop.finding.lane === undefined ? id : `${id} (${loop.finding.lane})`,
      agent,
      project,
      file,
      at: session.startedAt ?? session.endedAt,
      loop,
      waste: priced(loop.spentUntil, model, prices),
      seen: priced(loop.spent, model, prices),
    }));
}

const headings = ['AGENT', 'PROJECT', 'WHEN', 'LOOP', 'ROUNDS', 'CALLS', 'TOKENS', 'COST', 'TIME'] as const;
type Heading = (typeof headings)[number];
/** The columns that are left out first on a narrow terminal. */
const dispensable: readonly Heading[] = ['PROJECT', 'WHEN', 'TIME', 'ROUNDS', 'COST', 'TOKENS'];
const gap = '  ';
const widestCell = 16;

/** One row for each loop, and below it a description, the session, the events, the detector and the file. */
export function table(rows: readonly Row[], out: Terminal): string {
  const cells = rows.map((row) => cellsOf(row, out));
  const widths = new Map(
    headings.map((heading) => [heading, Math.max(widthOf(heading), ...cells.map((row) => widthOf(row[heading])))]),
  );
  const total = () => [...widths.values()].reduce((sum, width) => sum + width + gap.length, -gap.length);
  for (const heading of dispensable)
    if (total() > out.columns || cells.every((row) => row[heading] === 'unknown')) widths.delete(heading);

  const line = (textOf: (heading: Heading) => string, paint: (text: string, heading: Heading) => string) =>
    [...widths]
      .map(([heading, width]) => paint(pad(textOf(heading), width), heading))
      .join(gap)
      .trimEnd();
  const lines = [
    line(
      (heading) => heading,
      (text) => out.paint(text, 'dim'),
    ),
  ];
  for (const [k, row] of rows.entries()) {
    if (k > 0) lines.push('');
    const colour = row.loop.finding.status === 'looping' ? 'red' : 'yellow';
    lines.push(
      line(
        (heading) => cells[k]![heading],
        (text, heading) => (heading === 'LOOP' ? out.paint(text, colour) : text),
      ),
      ...below(row, out),
    );
  }
  return `${lines.join('\n')}\n`;
}

function cellsOf({ agent, project, at, loop, waste }: Row, out: Terminal): Record<Heading, string> {
  const { finding, kind, rounds } = loop;
  const cell = (text: string) => fit(out.say(text), widestCell, out.glyphs.more);
  return {
    AGENT: cell(agent),
    PROJECT: project === undefined ? 'unknown' : cell(basename(project.replaceAll('\\', '/')) || project),
    WHEN: onDay(at),
    LOOP: finding.status === 'looping' ? kind : `${kind}?`,
    ROUNDS: rounds === undefined ? out.glyphs.dash : short(rounds),
    CALLS: short(waste.calls),
    TOKENS: waste.tokens > 0 ? short(waste.tokens) : 'unknown',
    COST: dollars(waste.cost),
    TIME: inTime(waste.minutes),
  };
}

function below({ loop, session, file }: Row, out: Terminal): string[] {
  const { message, detector, confidence } = loop;
  const { dot, dash, more } = out.glyphs;
  const words = wrap(out.say(message), out.columns - 2, 3, more).map((line) => `  ${line}`);
  const id = fit(out.say(session), 40, more);
  const sure = `${detector}, ${Math.round(confidence * 100)} % sure`;
  const rest = ` ${dot} events ${loop.finding.onset}${dash}${loop.until} ${dot} ${sure} ${dot} ${out.say(file)}`;
  const room = out.columns - 2 - widthOf(id);
  return [...words, `  ${out.paint(id, 'bold')}${out.paint(room > 0 ? fit(rest, room, more) : '', 'dim')}`];
}
