import type { Prices } from '../../recorded/prices.js';
import type { LoopReport, SessionReport } from '../../recorded/session-report.js';
import { priced, wasteOf } from '../../recorded/waste.js';

/** The file of an earlier copy: of the whole session, or of a shorter part, which this one replaces. */
export interface Copy {
  readonly copyOf?: string;
  readonly replaces?: string;
}

/** A session as one line of JSON. Keys are only ever added, never renamed: scripts read this. */
export function jsonLine(report: SessionReport, prices: Prices, copy: Copy = {}): string {
  const { session, events, calls, withoutArguments, loops } = report;
  const { id, file, agent, model, project, title, startedAt, endedAt } = session;
  const findings = loops.map((loop) => findingOf(loop, model, prices));
  const waste = wasteOf(report, prices);
  const used = priced(report.spent, model, prices);
  return `${JSON.stringify({ session: id, file, agent, model, project, title, startedAt, endedAt, events, calls, ...(withoutArguments ? { withoutArguments } : {}), findings, waste, used, ...copy })}\n`;
}

function findingOf(loop: LoopReport, model: string | undefined, prices: Prices) {
  const { finding, kind, detector, tools, message, until, spent, spentUntil, rounds } = loop;
  const { status, seq, onset, lane } = finding;
  const confidence = Math.round(loop.confidence * 10_000) / 10_000;
  const waste = priced(spent, model, prices);
  const wasteUntil = priced(spentUntil, model, prices);
  return { detector, kind, status, seq, onset, confidence, message, waste, until, wasteUntil, lane, rounds, tools };
}
