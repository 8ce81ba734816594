import type { RecordedSession } from '@loopfuse/formats';
import { type AgentEvent, createWatch, type Finding, type Watch } from 'loopfuse';
import type { Preset } from '../../presets.js';
import { eventPrint } from './event-print.js';
import type { KnownSession, Memory } from './memory.js';

/** A loop in a running session. */
export interface Alarm {
  readonly session: RecordedSession;
  readonly finding: Finding;
  readonly message: string;
  /** The span at which it was seen, where the session came as a trace. */
  readonly span?: { readonly traceId: string; readonly spanId: string } | undefined;
}

/**
 * Watches the sessions of one file, however often it is read again, and reports each loop once. New events and reported
 * loops are recognised by the content of the events, not by their position, which changes when a history is summarised.
 */
export interface Alarms {
  /** The file is read from its beginning. */
  startOver(): void;
  observe(event: AgentEvent, session: RecordedSession): void;
}

export interface AlarmsOptions {
  readonly preset: Preset;
  readonly memory: Memory;
  /** Whether what is being read now was written while we watched. */
  readonly isNews: () => boolean;
  readonly onAlarm: (alarm: Alarm) => void;
}

interface Loop {
  readonly lane: string | undefined;
  readonly isText: boolean;
  readonly onset: number;
  until: number;
  reported: boolean;
}

/** An event that can be part of a loop: calls, results, and what the model says. */
interface Step {
  readonly seq: number;
  readonly print: number;
  readonly lane: string | undefined;
  readonly isText: boolean;
}

/** One reading of one session. */
interface Replay {
  readonly watch: Watch;
  readonly known: KnownSession;
  readonly times: Map<number, number>;
  readonly steps: Step[];
  /** By episode. */
  readonly loops: Map<string, Loop>;
}

export function createAlarms({ preset, memory, isNews, onAlarm }: AlarmsOptions): Alarms {
  let replays = new Map<RecordedSession, Replay>();

  function replayOf(session: RecordedSession): Replay {
    let replay = replays.get(session);
    if (replay === undefined) {
      const watch = createWatch({ detectors: preset.detectorsFor(session) });
      replay = { watch, known: memory.of(session), times: new Map(), steps: [], loops: new Map() };
      replays.set(session, replay);
    }
    return replay;
  }

  return {
    startOver() {
      replays = new Map();
    },
    observe(event, session) {
      const replay = replayOf(session);
      const { watch, known, times, steps } = replay;
      const print = eventPrint(event);
      const count = (times.get(print) ?? 0) + 1;
      times.set(print, count);
      const isNew = count > (known.times.get(print) ?? 0);
      if (isNew) known.times.set(print, count);
      const isText = event.type === 'text' || event.type === 'reasoning';
      if (isText || event.type === 'tool-call' || event.type === 'tool-result')
        steps.push({ seq: watch.seq, print, lane: event.lane, isText });
      const verdict = watch.observe(event);
      if (verdict.status !== 'looping') return;
      for (const finding of verdict.findings) {
        if (finding.status !== 'looping') continue;
        const { loop, from } = loopOf(replay.loops, finding);
        const more = stepsOf(steps, loop, from);
        const isKnown = loop.reported || more.some((step) => known.reported.has(step.print));
        if (!isKnown && !(isNew && isNews())) continue;
        for (const step of loop.reported ? more : stepsOf(steps, loop, loop.onset)) known.reported.add(step.print);
        loop.reported = true;
        if (!isKnown) onAlarm({ session, finding, message: watch.explain(finding) });
      }
    },
  };
}

/** The loop that a finding belongs to, and from where on its steps have not been looked at. */
function loopOf(
  loops: Map<string, Loop>,
  { episode, lane, onset, seq, tools }: Finding,
): { readonly loop: Loop; readonly from: number } {
  const loop = loops.get(episode) ?? { lane, isText: tools.length === 0, onset, until: onset - 1, reported: false };
  loops.set(episode, loop);
  const from = loop.until + 1;
  loop.until = seq;
  return { loop, from };
}

function stepsOf(steps: readonly Step[], { lane, isText }: Loop, from: number): Step[] {
  const its: Step[] = [];
  for (let k = steps.length - 1; k >= 0 && steps[k]!.seq >= from; k--) {
    const step = steps[k]!;
    if (step.lane === lane && step.isText === isText) its.push(step);
  }
  return its;
}
