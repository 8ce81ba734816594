import { counted, grouped, short } from '../../terminal/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { SessionReport } from './session-report.js';

/** What a scan comes to. */
export interface Totals {
  files: number;
  /** Looked at so far, and those of them that are of a known format. */
  filesDone: number;
  filesRead: number;
  bytes: number;
  sessions: number;
  events: number;
  calls: number;
  loopingSessions: number;
  loops: number;
  suspicions: number;
  wastedCalls: number;
  wastedTokens: number;
}

export function startTotals(): Totals {
  return {
    files: 0,
    filesDone: 0,
    filesRead: 0,
    bytes: 0,
    sessions: 0,
    events: 0,
    calls: 0,
    loopingSessions: 0,
    loops: 0,
    suspicions: 0,
    wastedCalls: 0,
    wastedTokens: 0,
  };
}

export function addSession(totals: Totals, { events, calls, loops }: SessionReport): void {
  totals.sessions++;
  totals.events += events;
  totals.calls += calls;
  let looping = false;
  for (const { finding, confirmed, wasteUntil } of loops) {
    if (finding.status === 'suspect') {
      if (!confirmed) totals.suspicions++;
      continue;
    }
    looping = true;
    totals.loops++;
    totals.wastedCalls += wasteUntil.calls;
    totals.wastedTokens += wasteUntil.tokens;
  }
  if (looping) totals.loopingSessions++;
}

/** The last words of a scan. */
export function summary(totals: Totals, out: Terminal, showsSuspects: boolean): string {
  const { sessions, loopingSessions, loops, suspicions, wastedCalls, wastedTokens } = totals;
  const lines: string[] = [];
  if (loops === 0) lines.push(out.paint(`No loops in ${counted(sessions, 'session')}.`, 'green'));
  else {
    const spent = wastedTokens > 0 ? ` and ${short(wastedTokens)} tokens` : '';
    lines.push(
      out.paint(
        `${grouped(loopingSessions)} of ${counted(sessions, 'session')} ${loopingSessions === 1 ? 'loops' : 'loop'}:`,
        'bold',
      ) +
        ` ${counted(loops, 'loop')}, ${counted(wastedCalls, 'call')}${spent} spent in ${loops === 1 ? 'it' : 'them'}.`,
    );
  }
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
