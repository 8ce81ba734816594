import { presets as known, type Preset } from '../../presets.js';
import type { OpenedSession } from '../../recorded/open-session.js';
import type { Prices } from '../../recorded/prices.js';
import { type LoopReport, scanSession } from '../../recorded/session-report.js';
import { createSpending, type Place, spentBetween } from '../../recorded/spending.js';
import { isLooping, type PricedWaste, priced, sum } from '../../recorded/waste.js';

/** A loop as one preset would have stopped it. */
export interface Stop {
  readonly loop: LoopReport;
  /** Which call of the session it was, counted from 1. */
  readonly call: number;
  /** Minutes after the session began; undefined where its log has no times. */
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
 * Replays a session with each preset. A loop ends where one of our presets saw it last. The ancestors halt at the first
 * finding and report everything after it as looping, including work, so they cannot tell where a loop ends.
 */
export function outcomesOf(opened: OpenedSession, presets: readonly Preset[], prices: Prices): Outcome[] {
  const reference = loopsOf(opened, known[0]!);
  return presets.map((preset) => {
    const loops = loopsOf(opened, preset);
    const ends = preset.isAncestor ? reference : [...reference, ...loops];
    const stops: Stop[] = [];
    let stopped = -1;
    for (const loop of loops) {
      const until = endOf(loop, ends);
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

/** Where the loop around a stop ends; at the stop itself if no preset sees a loop there. */
function endOf({ finding: { lane, onset, seq } }: LoopReport, loops: readonly LoopReport[]): number {
  const same = loops.filter(
    ({ finding, until }) => finding.lane === lane && finding.onset <= seq && until >= Math.max(onset, seq),
  );
  return Math.max(seq, ...same.map(({ until }) => until));
}

/** What the lane used after event `from` and up to `until`. The request under way at the stop is spent in any case. */
function stopOf(
  { session, events }: OpenedSession,
  loop: LoopReport,
  from: number,
  until: number,
  prices: Prices,
): Stop {
  const { lane, seq } = loop.finding;
  const spending = createSpending();
  let call = 0;
  let start: Place | undefined;
  let end: Place | undefined;
  for (const [k, event] of events.entries()) {
    spending.observe(event, k);
    if (k <= seq && event.type === 'tool-call') call++;
    if (k === from) start = spending.here(lane);
    if (k === until) end = spending.here(lane);
  }
  const at = events[seq]?.at;
  const began = session.startedAt;
  return {
    loop,
    call,
    ...(at === undefined || began === undefined ? {} : { after: (at - began) / 60_000 }),
    saved:
      start === undefined || end === undefined || from >= until
        ? { calls: 0, characters: 0, tokens: 0 }
        : priced(spentBetween(start, end), session.model, prices),
  };
}
