import { basename } from 'node:path';
import { counted, short } from 'loopfuse/words';
import { dollars, inTime, onDay } from '../../recorded/amounts.js';
import type { PricedWaste } from '../../recorded/waste.js';
import type { Terminal } from '../../terminal/terminal.js';
import { wrap } from '../../terminal/width.js';
import { prevention, remedies } from './remedies.js';
import type { Row } from './table.js';

export interface CostliestOptions {
  /** The command that starts this program. */
  readonly command: string;
  /** The commands that it has. */
  readonly commands: ReadonlySet<string>;
}

const most = 3;

/** The costliest first: by dollars if they are known, then by tokens, by calls, and by characters. */
export function byCost(a: { readonly waste: PricedWaste }, b: { readonly waste: PricedWaste }): number {
  return (
    (b.waste.cost ?? 0) - (a.waste.cost ?? 0) ||
    b.waste.tokens - a.waste.tokens ||
    b.waste.calls - a.waste.calls ||
    b.waste.characters - a.waste.characters
  );
}

/** The costliest loops in words, each with what to do about it and the line that would have broken it. */
export function costliest(rows: readonly Row[], out: Terminal, { command, commands }: CostliestOptions): string {
  const loops = rows.filter(({ loop }) => loop.finding.status === 'looping').sort(byCost);
  const shown = loops.slice(0, most);
  if (shown.length === 0) return '';
  const title = loops.length > most ? `The ${most} costliest loops, and what to do` : 'What to do';
  const lines = [out.paint(title, 'bold')];
  for (const [k, row] of shown.entries()) {
    const { agent, project, at, loop, session } = row;
    const where = project === undefined ? '' : ` in ${basename(project.replaceAll('\\', '/')) || project}`;
    const when = at === undefined ? '' : `, ${onDay(at)}`;
    lines.push(
      `${k + 1}. ${out.paint(out.say(amount(row.waste)), 'red')} ${out.paint(out.say(`${agent}${where}${when}, session ${session}`), 'dim')}`,
      ...paragraph(loop.message, out),
      ...paragraph(remedies[loop.kind], out),
      ...paragraph(`${prevention(agent, commands, command)}${saving(row)}`, out, 'cyan'),
    );
  }
  return `${lines.join('\n')}\n`;
}

function amount({ cost, calls, characters, tokens, minutes }: PricedWaste): string {
  const parts = [
    ...(cost === undefined ? [] : [`≈${dollars(cost)}`]),
    calls > 0 ? counted(calls, 'call') : `${short(characters)} characters`,
    ...(cost === undefined && tokens > 0 ? [`${short(tokens)} tokens`] : []),
    ...(minutes === undefined || minutes < 0.05 ? [] : [inTime(minutes)]),
  ];
  return `${parts.join(', ')}:`;
}

/** What was used after the loop had been seen. */
function saving({ loop, waste, seen }: Row): string {
  const calls = loop.spentUntil.calls - loop.spent.calls;
  const cost = waste.cost === undefined || seen.cost === undefined ? undefined : waste.cost - seen.cost;
  if (calls <= 0) return '';
  const money = cost === undefined || cost <= 0 ? '' : ` and ≈${dollars(cost)}`;
  return ` (sees it ${counted(calls, 'call')}${money} earlier)`;
}

function paragraph(text: string, out: Terminal, colour?: 'cyan'): string[] {
  return wrap(out.say(text), out.columns - 3, 4, out.glyphs.more).map(
    (line) => `   ${colour === undefined ? line : out.paint(line, colour)}`,
  );
}
