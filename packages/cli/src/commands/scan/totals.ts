import { counted, grouped, short } from 'loopfuse/words';
import { dollars, inTime } from '../../recorded/amounts.js';
import type { Prices } from '../../recorded/prices.js';
import type { SessionReport } from '../../recorded/session-report.js';
import { isLooping, type PricedWaste, priced, sum } from '../../recorded/waste.js';
import type { Terminal } from '../../terminal/terminal.js';

/** What a scan comes to. */
export interface Totals {
  files: number;
  /** Looked at so far, and those of them that are of a known format. */
  filesDone: number;
  filesRead: number;
  bytes: number;
  sessions: number;
  /** Of sessions that were counted from another file. */
  copies: number;
  events: number;
  calls: number;
  /** Whose log has the arguments of no call. */
  sessionsWithoutArguments: number;
  loopingSessions: number;
  loops: number;
  suspicions: number;
  waste: PricedWaste;
  /** Loops whose cost is not known: their model has no price, or their log has no tokens. */
  unpriced: number;
  /** Models in loops that have no price. */
  readonly unknownModels: Set<string>;
}

export function startTotals(): Totals {
  return {
    files: 0,
    filesDone: 0,
    filesRead: 0,
    bytes: 0,
    sessions: 0,
    copies: 0,
    events: 0,
    calls: 0,
    sessionsWithoutArguments: 0,
    loopingSessions: 0,
    loops: 0,
    suspicions: 0,
    waste: { calls: 0, characters: 0, tokens: 0 },
    unpriced: 0,
    unknownModels: new Set(),
  };
}

export function addSession(
  totals: Totals,
  { session, events, calls, withoutArguments, loops }: SessionReport,
  prices: Prices,
): void {
  totals.sessions++;
  totals.events += events;
  totals.calls += calls;
  if (withoutArguments) totals.sessionsWithoutArguments++;
  totals.suspicions += loops.filter((loop) => !isLooping(loop) && !loop.confirmed).length;
  const looping = loops.filter(isLooping);
  if (looping.length > 0) totals.loopingSessions++;
  for (const { spentUntil } of looping) {
    const waste = priced(spentUntil, session.model, prices);
    totals.loops++;
    totals.waste = sum([totals.waste, waste]);
    if (waste.cost !== undefined) continue;
    totals.unpriced++;
    if (waste.tokens === 0) continue;
    for (const model of [...(spentUntil.models ?? []).map((one) => one.model), session.model])
      if (model !== undefined && prices.priceOf(model) === undefined) totals.unknownModels.add(model);
  }
}

/** Takes a session back that was added, because a longer copy of it has been found. */
export function removeSession(totals: Totals, report: SessionReport, prices: Prices): void {
  const one = startTotals();
  addSession(one, report, prices);
  for (const key of [
    'sessions',
    'events',
    'calls',
    'sessionsWithoutArguments',
    'loopingSessions',
    'loops',
    'suspicions',
    'unpriced',
  ] as const)
    totals[key] -= one[key];
  totals.copies++;
  const { calls, characters, tokens, cost, minutes } = one.waste;
  totals.waste = sum([
    totals.waste,
    {
      calls: -calls,
      characters: -characters,
      tokens: -tokens,
      ...(cost === undefined ? {} : { cost: -cost }),
      ...(minutes === undefined ? {} : { minutes: -minutes }),
    },
  ]);
}

/** The last words of a scan. */
export function summary(totals: Totals, out: Terminal, showsSuspects: boolean, prices: Prices): string {
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
  if (totals.copies > 0) {
    const [were, they] = totals.copies === 1 ? ['copy', 'it is'] : ['copies', 'they are'];
    lines.push(`${grouped(totals.copies)} ${were} of sessions found in other files; ${they} counted once.`);
  }
  if (totals.sessionsWithoutArguments > 0)
    lines.push(
      `${counted(totals.sessionsWithoutArguments, 'session')} logged without the arguments of calls: most loops of calls cannot be detected there. Turn on the capture of contents where it is recorded.`,
    );
  if (suspicions > 0 && !showsSuspects)
    lines.push(`${counted(suspicions, 'suspicion')} besides; --suspects shows ${suspicions === 1 ? 'it' : 'them'}.`);
  lines.push(
    out.paint(
      `Read ${counted(totals.events, 'event')} and ${counted(totals.calls, 'call')} in ${counted(totals.filesRead, 'file')}.`,
      'dim',
    ),
  );
  return `${lines.join('\n')}\n`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
