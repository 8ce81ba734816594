import type { LoopReport, SessionReport } from './session-report.js';

/** A session as one line of JSON. Keys are only ever added, never renamed: scripts read this. */
export function jsonLine({ session, events, calls, loops }: SessionReport): string {
  const { id, file, agent, model } = session;
  return `${JSON.stringify({ session: id, file, agent, model, events, calls, findings: loops.map(findingOf) })}\n`;
}

function findingOf({ finding, message, until, wasteUntil }: LoopReport) {
  const { detector, kind, status, seq, onset, waste, lane } = finding;
  const confidence = Math.round(finding.confidence * 10_000) / 10_000;
  return { detector, kind, status, seq, onset, confidence, message, waste, until, wasteUntil, lane };
}
