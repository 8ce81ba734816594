import type { AgentEvent } from 'loopfuse';
import { counted } from 'loopfuse/words';
import type { Preset } from '../../presets.js';
import { atTime, dollars, inTime, onDay } from '../../recorded/amounts.js';
import { type OpenedSession, openSession } from '../../recorded/open-session.js';
import { loadPrices, type Prices } from '../../recorded/prices.js';
import { type LoopReport, type SessionReport, scanSession } from '../../recorded/session-report.js';
import { wasteOf } from '../../recorded/waste.js';
import type { Shell } from '../../shell.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, pad, wrap } from '../../terminal/width.js';
import { eventLine } from './event-line.js';

export interface ShowOptions {
  readonly preset: Preset;
  /** Events before and after a loop. */
  readonly around: number;
  readonly all: boolean;
  readonly cache: boolean;
  /** A file of prices. */
  readonly prices?: string | undefined;
}

/** Prints the timeline around the loops of one session, with the evidence marked. */
export async function show(
  name: string,
  paths: readonly string[],
  { preset, around, all, cache, prices: priceFile }: ShowOptions,
  shell: Shell,
): Promise<void> {
  const { out } = shell;
  const prices = loadPrices(priceFile);
  const opened = await openSession(name, paths, { preset, cache }, shell);
  const scan = scanSession(opened.session, preset.detectorsFor(opened.session), () => {});
  for (const event of opened.events) scan.observe(event);
  const report = scan.end();
  const loops = report.loops.filter(({ confirmed }) => !confirmed);
  await out.write(heading(report, prices, out));
  if (loops.length === 0) await out.write(`${out.paint('No loops.', 'green')}\n`);
  for (const loop of loops) {
    const { finding, message, until } = loop;
    const colour = finding.status === 'looping' ? 'red' : 'yellow';
    const kind = finding.status === 'looping' ? loop.kind : `${loop.kind}?`;
    await out.write(
      `\n${out.paint(`${out.glyphs.trip} ${kind}`, 'bold', colour)}, events ${finding.onset}${out.glyphs.dash}${until}\n`,
    );
    for (const line of wrap(out.say(message), out.columns - 2, 4, out.glyphs.more)) await out.write(`  ${line}\n`);
    if (!all) await out.write(`\n${timeline(opened, finding.onset - around, until + around, [loop], out, longest)}`);
  }
  if (all) await out.write(`\n${timeline(opened, 0, opened.events.length, loops, out)}`);
}

function heading(report: SessionReport, prices: Prices, out: Terminal): string {
  const { session, events, calls } = report;
  const { dot } = out.glyphs;
  const facts = [session.agent, session.model, session.project, onDay(session.startedAt)].filter(
    (fact) => fact !== undefined && fact !== 'unknown',
  );
  const waste = wasteOf(report, prices);
  const wasted =
    waste === undefined
      ? ''
      : `Spent in loops: ${counted(waste.calls, 'call')}, cost ${dollars(waste.cost)}, time ${inTime(waste.minutes)}.\n`;
  return `${out.paint(out.say(session.id), 'bold')} ${dot} ${out.say(facts.join(` ${dot} `))}
${out.paint(`${out.say(session.file)} ${dot} ${counted(events, 'event')}, ${counted(calls, 'call')}`, 'dim')}
${wasted}`;
}

/** Lines around one loop; of a longer stretch both ends are shown. */
const longest = 60;

function timeline(
  { events }: OpenedSession,
  from: number,
  to: number,
  loops: readonly LoopReport[],
  out: Terminal,
  most = Number.POSITIVE_INFINITY,
): string {
  const first = Math.max(0, from);
  const last = Math.min(events.length - 1, to);
  const lines: string[] = [];
  const skipped = last - first + 1 - most;
  const numberWidth = String(last).length;
  for (let seq = first; seq <= last; seq++) {
    if (skipped > 0 && seq === first + most / 2) {
      lines.push(out.paint(`  ${pad(out.glyphs.more, numberWidth)}  ${counted(skipped, 'event')} more`, 'dim'));
      seq += skipped;
    }
    lines.push(lineOf(events[seq]!, seq, numberWidth, loops, out));
  }
  return `${lines.join('\n')}\n`;
}

function lineOf(event: AgentEvent, seq: number, width: number, loops: readonly LoopReport[], out: Terminal): string {
  const { bar, trip, more } = out.glyphs;
  const loop = loops.find(({ finding, until }) => seq >= finding.onset && seq <= until && finding.lane === event.lane);
  const mark = loop === undefined ? ' ' : loop.finding.seq === seq ? trip : bar;
  const colour = loop?.finding.status === 'suspect' ? 'yellow' : 'red';
  const time = event.at === undefined ? '' : `${atTime(event.at)}  `;
  const lane = event.lane === undefined ? '' : `[${event.lane}] `;
  const text = fit(out.say(`${time}${lane}${eventLine(event)}`), out.columns - width - 4, more);
  const number = out.paint(String(seq).padStart(width), 'dim');
  if (loop === undefined) return `  ${number}  ${text}`;
  return `${out.paint(mark, colour)} ${number}  ${isEvidence(event, loop) ? out.paint(text, 'bold', colour) : text}`;
}

/** Calls of a tool that takes part in the loop; for loops of text, the text. */
function isEvidence(event: AgentEvent, { tools }: LoopReport): boolean {
  if (tools.length === 0) return event.type === 'text' || event.type === 'reasoning';
  return event.type === 'tool-call' && tools.includes(event.tool);
}
