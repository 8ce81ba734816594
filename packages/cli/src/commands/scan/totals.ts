import { counted, grouped, short } from 'loopfuse/words';
import { dollars, inTime } from '../../recorded/amounts.js';
import type { Prices } from '../../recorded/prices.js';
import type { SessionReport } from '../../recorded/session-report.js';
import { isLooping, type PricedWaste, priced, sum } from '../../recorded/waste.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Totals of sessions. */
export interface Totals {
  readonly sessions: number;
  readonly events: number;
  readonly calls: number;
  /** Sessions whose log has no arguments of calls. */
  readonly sessionsWithoutArguments: number;
  readonly loopingSessions: number;
  readonly loops: number;
  readonly suspicions: number;
  readonly waste: PricedWaste;
  /** Loops whose cost is not known: their model has no price, or their log has no tokens. */
  readonly unpriced: number;
  /** Models in loops that have no price. */
  readonly unknownModels: ReadonlySet<string>;
}

export function totalsOf(reports: readonly SessionReport[], prices: Prices): Totals {
  const loops = reports.flatMap(({ session, loops }) =>
    loops
      .filter(isLooping)
      .map(({ spentUntil }) => ({ session, spentUntil, waste: priced(spentUntil, session.model, prices) })),
  );
  const unpriced = loops.filter(({ waste }) => waste.cost === undefined);
  const models = unpriced
    .filter(({ waste }) => waste.tokens > 0)
    .flatMap(({ session, spentUntil }) => [...(spentUntil.models ?? []).map(({ model }) => model), session.model])
    .filter((model) => model !== undefined && prices.priceOf(model) === undefined);
  return {
    sessions: reports.length,
    events: reports.reduce((total, { events }) => total + events, 0),
    calls: reports.reduce((total, { calls }) => total + calls, 0),
    sessionsWithoutArguments: reports.filter(({ withoutArguments }) => withoutArguments).length,
    loopingSessions: reports.filter(({ loops }) => loops.some(isLooping)).length,
    loops: loops.length,
    suspicions: reports.flatMap(({ loops }) => loops.filter((loop) => !isLooping(loop) && !loop.confirmed)).length,
    waste: sum(loops.map(({ waste }) => waste)),
    unpriced: unpriced.length,
    unknownModels: new Set(models as string[]),
  };
}

/** The files that were read. */
export interface Read {
  readonly files: number;
  readonly copies: number;
}

/** The summary at the end of a scan. */
export function summary(totals: Totals, read: Read, out: Terminal, showsSuspects: boolean, prices: Prices): string {
  const { sessions, loopingSessions, loops, suspicions, waste, unpriced, unknownModels } = totals;
  const lines: string[] = [];
  if (loops === 0) lines.push(out.paint(`No loops in ${counted(sessions, 'session')}.`, 'green'));
  else {
    const spent = [
      counted(waste.calls, 'call'),
      ...(waste.tokens > 0 ? [`${short(waste.tokens)} tokens`] : []),
      ...(waste.cost === undefined ? [] : [out.say(`≈${dollars(waste.cost)}`)]),
      ...(waste.minutes === undefined ? [] : [inTime(waste.minutes)]),
    ];
    const looped = `${grouped(loopingSessions)} of ${counted(sessions, 'session')} ${loopingSessions === 1 ? 'loops' : 'loop'}:`;
    const where = loops === 1 ? 'it' : 'them';
    lines.push(`${out.paint(looped, 'bold')} ${counted(loops, 'loop')}, ${listed(spent)} spent in ${where}.`);
    if (waste.cost !== undefined)
      lines.push(out.paint(`Cost as logged, or by list prices of ${out.say(prices.date)}.`, 'dim'));
    if (unpriced > 0) {
      const models = [...unknownModels].sort().slice(0, 5).map(out.say).join(', ');
      const why = models === '' ? '' : ` (no price for ${models}; --prices FILE gives some)`;
      lines.push(`The cost of ${counted(unpriced, 'loop')} is unknown${why}.`);
    }
  }
  if (read.copies > 0) {
    const [were, they] = read.copies === 1 ? ['copy', 'it is'] : ['copies', 'they are'];
    lines.push(`${grouped(read.copies)} ${were} of sessions found in other files; ${they} counted once.`);
  }
  if (totals.sessionsWithoutArguments > 0)
    lines.push(
      `${counted(totals.sessionsWithoutArguments, 'session')} logged without the arguments of calls: most loops of calls cannot be detected there. Turn on the capture of contents where it is recorded.`,
    );
  if (suspicions > 0 && !showsSuspects)
    lines.push(`${counted(suspicions, 'suspicion')} besides; --suspects shows ${suspicions === 1 ? 'it' : 'them'}.`);
  lines.push(
    out.paint(
      `Read ${counted(totals.events, 'event')} and ${counted(totals.calls, 'call')} in ${counted(read.files, 'file')}.`,
      'dim',
    ),
  );
  return `${lines.join('\n')}\n`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
