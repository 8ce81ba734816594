import type { Preset } from '../../presets.js';
import type { OpenedSession } from '../scan/open-session.js';
import type { Prices } from '../scan/prices.js';
import { type LoopReport, scanSession } from '../scan/session-report.js';
import { createSpending } from '../scan/spending.js';
import { isLooping, type PricedWaste, priced, sum } from '../scan/waste.js';

/** A loop as one preset would have stopped it. */
export interface Stop {
  readonly loop: LoopReport;
  /** Which call of the session it was, counted from 1. */
  readonly call: number;
  /** Minutes after the session began; undefined where its log tells no times. */
  readonly after?: number;
  /** What was used from there to the end of the loop. */
  readonly saved: PricedWaste;
}

/** What one preset would have done with a session. */
export interface Outcome {
  readonly preset: Preset;
  readonly stops: readonly Stop[];
  readonly saved: PricedWaste;
}

/**
 * Plays a session to each preset. A loop ends for all of them where the last of them still saw it: a preset that falls
 * silent early does not save less.
 */
export function outcomesOf(opened: OpenedSession, presets: readonly Preset[], prices: Prices): Outcome[] {
  const played = presets.map((preset) => ({ preset, loops: loopsOf(opened, preset) }));
  const all = played.flatMap(({ loops }) => loops);
  return played.map(({ preset, loops }) => {
    const stops: Stop[] = [];
    let stopped = -1;
    for (const loop of loops) {
      const until = endOf(loop, all);
      const stop = stopOf(opened, loop, Math.max(loop.finding.seq, stopped), until, prices);
      stopped = Math.max(stopped, until); // what one stop saved, the next cannot save again
      stops.push(stop);
    }
    return { preset, stops, saved: sum(stops.map(({ saved }) => saved)) };
  });
}

function loopsOf({ session, events }: OpenedSession, preset: Preset): LoopReport[] {
  const scan = scanSession(session, preset.detectorsFor(session), () => {}, preset.tools);
  for (const event of events) scan.observe(event);
  return scan.end().loops.filter(isLooping);
}

function endOf(loop: LoopReport, all: readonly LoopReport[]): number {
  const same = all.filter(
    ({ finding, until }) =>
      finding.lane === loop.finding.lane && finding.onset <= loop.until && until >= loop.finding.onset,
  );
  return Math.max(loop.until, ...same.map(({ until }) => until));
}

/** What the lane used after event `from` and up to `until`. */
function stopOf(
  { session, events }: OpenedSession,
  loop: LoopReport,
  from: number,
  until: number,
  prices: Prices,
): Stop {
  const { lane, seq } = loop.finding;
  const spending = createSpending();
  let calls = 0;
  let characters = 0;
  let call = 0;
  events.slice(0, until + 1).forEach((event, k) => {
    if (k <= seq && event.type === 'tool-call') call++;
    if (event.lane !== lane) return;
    spending.observe(event, k);
    if (k <= from) return;
    if (event.type === 'tool-call') calls++;
    if (event.type === 'text' || event.type === 'reasoning') characters += event.text.length;
  });
  const spent = spending.since(from + 1, lane);
  const isNothing = from >= until;
  const tokens = isNothing ? 0 : spent.inputTokens + spent.outputTokens;
  const at = events[seq]?.at;
  const began = session.startedAt;
  return {
    loop,
    call,
    ...(at === undefined || began === undefined ? {} : { after: (at - began) / 60_000 }),
    saved: { calls, characters, tokens, ...(isNothing ? {} : priced(spent, session.model, prices)) },
  };
}
