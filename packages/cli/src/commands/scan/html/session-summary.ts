import type { LoopSummary, SessionSummary } from '@loopfuse/dashboard';
import type { Prices } from '../../../recorded/prices.js';
import type { LoopReport, SessionReport } from '../../../recorded/session-report.js';
import { priced } from '../../../recorded/waste.js';
import type { Excerpts } from './excerpts.js';

const mostName = 200;
const mostMessage = 600;

/** A session as the report lists it, masked. Suspicions are in it as such, unless they became loops. */
export function sessionSummary(
  { session, events, calls, loops, request, spent }: SessionReport,
  prices: Prices,
  excerpts: Excerpts,
  author?: string,
): SessionSummary {
  const { model, project, startedAt, endedAt } = session;
  const title = session.title?.trim() || request;
  const { tokens, cost, minutes } = priced(spent, model, prices);
  const name = (text: string) => excerpts.text(text, mostName);
  return {
    id: name(session.id),
    agent: name(session.agent),
    file: name(session.file),
    ...(model === undefined ? {} : { model: name(model) }),
    ...(project === undefined ? {} : { project: name(project) }),
    ...(title === undefined ? {} : { title: name(title) }),
    ...(author === undefined ? {} : { author: name(author) }),
    ...(isTime(startedAt) ? { startedAt } : {}),
    ...(isTime(endedAt) ? { endedAt } : {}),
    events,
    calls,
    used: {
      ...(tokens > 0 ? { tokens } : {}),
      ...(cost === undefined ? {} : { cost }),
      ...(minutes === undefined ? {} : { minutes }),
    },
    loops: loops.filter(({ confirmed }) => !confirmed).map((loop) => loopSummary(loop, model, prices, excerpts)),
  };
}

function loopSummary(
  { finding, kind, detector, tools, message, confidence, until, rounds, spentUntil }: LoopReport,
  model: string | undefined,
  prices: Prices,
  excerpts: Excerpts,
): LoopSummary {
  const { status, onset, seq, lane } = finding;
  const { tokens, ...waste } = priced(spentUntil, model, prices);
  const name = (text: string) => excerpts.text(text, mostName);
  return {
    kind,
    status,
    detector,
    onset,
    seq,
    until,
    ...(lane === undefined ? {} : { lane: name(lane) }),
    tools: tools.map(name),
    ...(rounds === undefined ? {} : { rounds }),
    confidence: Math.round(confidence * 100) / 100,
    message: excerpts.text(message, mostMessage),
    waste: { ...waste, ...(tokens > 0 ? { tokens } : {}) },
  };
}

function isTime(at: number | undefined): at is number {
  return at !== undefined && Number.isFinite(new Date(at).getTime());
}
