import { statSync } from 'node:fs';
import { type Block, timelineBlock } from '@loopfuse/dashboard';
import { type RecordedSession, readSessions } from '@loopfuse/formats';
import type { AgentEvent } from 'loopfuse';
import type { SessionReport } from '../../../recorded/session-report.js';
import { isLooping } from '../../../recorded/waste.js';
import type { Excerpts } from './excerpts.js';
import { planTimeline } from './plan.js';
import { createTimelineRecorder, type TimelineRecorder } from './timeline-recorder.js';

export interface TimelineOptions {
  readonly excerpts: Excerpts;
  readonly signal: AbortSignal;
  /** Called often. */
  readonly onProgress: () => void;
  /** Characters that timelines may take in the report, about. */
  readonly room?: number;
}

/** Sessions without a loop get a timeline if they are short, and only so many of them. */
const mostInnocent = 1000;
const longestInnocent = 1000;
const largestInnocentFile = 4 * 1024 * 1024;
const mostRoom = 60_000_000;
/** Events that wait until the log names their session; logs that name it late do so within a few events. */
const mostWaiting = 100;

/**
 * Reads the files of sessions once more and gives their timelines, one at a time, by their place in `reports`: those
 * with loops, the costliest first, then suspicions, then short ones without, until there is no more room. Files that can no longer
 * be read are left out.
 */
export async function* timelinesOf(
  reports: readonly SessionReport[],
  { excerpts, signal, onProgress, room = mostRoom }: TimelineOptions,
): AsyncGenerator<readonly [number, Block]> {
  let left = room;
  for (const [file, wanted] of filesOf(reports)) {
    if (left <= 0) return;
    yield* await read(file, wanted);
  }

  async function read(file: string, wanted: readonly number[]): Promise<(readonly [number, Block])[]> {
    const places = new Map(wanted.map((place) => [reports[place]!.session.id, place]));
    const recorders = new Map<RecordedSession, TimelineRecorder>();
    const waiting = new Map<RecordedSession, AgentEvent[]>();
    const strangers = new WeakSet<RecordedSession>();
    const timelines: (readonly [number, Block])[] = [];

    function recorderOf(session: RecordedSession): TimelineRecorder | undefined {
      const known = recorders.get(session);
      const place = strangers.has(session) ? undefined : places.get(session.id);
      if (known || place === undefined) return known;
      const { events, calls, loops } = reports[place]!;
      const seen = loops.map(({ finding, until }) => ({ onset: finding.onset, until }));
      const recorder = createTimelineRecorder({ plan: planTimeline(events, seen), excerpts, hasCalls: calls > 0 });
      recorders.set(session, recorder);
      for (const event of waiting.get(session) ?? []) recorder.observe(event);
      waiting.delete(session);
      return recorder;
    }

    await readSessions(
      file,
      {
        onEvent(event, session) {
          onProgress();
          const recorder = recorderOf(session);
          if (recorder) return recorder.observe(event);
          if (strangers.has(session)) return;
          const events = waiting.get(session) ?? [];
          waiting.set(session, events);
          if (events.push(event) <= mostWaiting) return;
          strangers.add(session);
          waiting.delete(session);
        },
        onEnd(session) {
          const recorder = recorderOf(session);
          recorders.delete(session);
          waiting.delete(session);
          const place = places.get(session.id);
          if (recorder === undefined || place === undefined || left <= 0) return;
          const timeline = timelineBlock(recorder.end());
          left -= timeline.length;
          timelines.push([place, timeline]);
        },
      },
      { signal },
    );
    return timelines;
  }
}

/** The files to read, in order, each with the places of the sessions wanted from it. */
function filesOf(reports: readonly SessionReport[]): Map<string, number[]> {
  const files = new Map<string, number[]>();
  const places = [...reports.keys()];
  const seen = places.filter((place) => reports[place]!.loops.length > 0);
  seen.sort((a, b) => worth(reports[b]!) - worth(reports[a]!));
  const innocent = places.filter((place) => reports[place]!.loops.length === 0 && isShort(reports[place]!));
  for (const place of [...seen, ...innocent.slice(0, mostInnocent)]) {
    const { file } = reports[place]!.session;
    const wanted = files.get(file) ?? [];
    wanted.push(place);
    files.set(file, wanted);
  }
  return files;
}

/** Loops before suspicions, and those that cost many calls or much text first. */
function worth({ loops }: SessionReport): number {
  const looping = loops.filter(isLooping);
  const spent = looping.reduce((sum, { spentUntil }) => sum + spentUntil.calls + spentUntil.characters / 1000, 0);
  return looping.length > 0 ? 1 + spent : 0;
}

function isShort({ session, events }: SessionReport): boolean {
  if (events > longestInnocent) return false;
  const size = statSync(session.file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  return size <= largestInnocentFile;
}
