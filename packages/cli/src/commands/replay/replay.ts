import { counted, short } from 'loopfuse/words';
import type { Preset } from '../../presets.js';
import { dollars, inTime } from '../../recorded/amounts.js';
import { openSession } from '../../recorded/open-session.js';
import { loadPrices } from '../../recorded/prices.js';
import type { Shell } from '../../shell.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, pad, widthOf, wrap } from '../../terminal/width.js';
import { type Outcome, outcomesOf, type Stop } from './outcomes.js';

export interface ReplayOptions {
  readonly presets: readonly Preset[];
  readonly json: boolean;
  readonly prices?: string | undefined;
  readonly cache: boolean;
}

/** Shows what each preset would have done with one session. */
export async function replay(
  name: string,
  paths: readonly string[],
  { presets, json, prices, cache }: ReplayOptions,
  shell: Shell,
): Promise<void> {
  const { out } = shell;
  const opened = await openSession(name, paths, { cache }, shell);
  const outcomes = outcomesOf(opened, presets, loadPrices(prices));
  if (json) {
    for (const outcome of outcomes) await out.write(jsonLine(opened.session.id, outcome));
    return;
  }
  const { session, events } = opened;
  const about = `${session.agent}, ${counted(events.length, 'event')}, ${session.file}`;
  await out.write(`${out.paint(out.say(session.id), 'bold')} ${out.paint(out.say(`(${about})`), 'dim')}\n\n`);
  await out.write(table(outcomes, out));
}

/** Keys are only ever added, never renamed: scripts read this. */
function jsonLine(session: string, { preset, stops, saved }: Outcome): string {
  return `${JSON.stringify({
    session,
    preset: preset.name,
    saved,
    stops: stops.map(({ loop: { finding, kind, detector, message, until }, call, after, saved: each }) => {
      const { seq, onset, lane } = finding;
      return { detector, kind, seq, onset, until, call, after, message, lane, saved: each };
    }),
  })}\n`;
}

const headings = ['PRESET', 'LOOP', 'EVENT', 'CALL', 'AFTER', 'SAVED', 'TOKENS', 'COST', 'TIME'];
const gap = '  ';

function table(outcomes: readonly Outcome[], out: Terminal): string {
  const rows = outcomes.flatMap(({ preset, stops }): { cells: string[]; stop: Stop | undefined }[] =>
    stops.length === 0
      ? [{ cells: [preset.name, 'sees no loop'], stop: undefined }]
      : stops.map((stop) => ({ cells: cellsOf(preset, stop), stop })),
  );
  const widths = headings.map((heading, k) =>
    Math.max(widthOf(heading), ...rows.map(({ cells }) => widthOf(cells[k] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    fit(
      cells
        .map((cell, k) => pad(cell, widths[k]!))
        .join(gap)
        .trimEnd(),
      out.columns,
      out.glyphs.more,
    );
  const lines = [out.paint(line(headings), 'dim')];
  for (const { cells, stop } of rows) {
    lines.push(stop === undefined ? line(cells) : out.paint(line(cells), 'bold'));
    if (stop === undefined) continue;
    const words = wrap(out.say(stop.loop.message), out.columns - 2, 2, out.glyphs.more);
    lines.push(...words.map((text) => `  ${text}`));
  }
  return `${lines.join('\n')}\n`;
}

function cellsOf(preset: Preset, { loop, call, after, saved }: Stop): string[] {
  return [
    preset.name,
    loop.kind,
    String(loop.finding.seq),
    String(call),
    inTime(after),
    counted(saved.calls, 'call'),
    saved.tokens > 0 ? short(saved.tokens) : 'unknown',
    dollars(saved.cost),
    inTime(saved.minutes),
  ];
}
