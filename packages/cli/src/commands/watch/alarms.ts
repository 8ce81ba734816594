import type { RecordedSession } from '@loopfuse/formats';
import { type AgentEvent, createWatch, type Finding, type Watch } from 'loopfuse';
import type { Preset } from '../../presets.js';

/** A loop in a session that is going on. */
export interface Alarm {
  readonly session: RecordedSession;
  readonly finding: Finding;
  readonly message: string;
}

/** Watches the sessions of one file, however often it is read again, and tells each loop once. */
export interface Alarms {
  /** A reading of the file begins: at its start, or for the rest of it. */
  startOver(): void;
  observe(event: AgentEvent, session: RecordedSession): void;
  /** What has been read until now is no news any more. */
  settle(): void;
  /** Other sessions stand in the file now, whatever they are called. */
  forget(): void;
}

interface Loop {
  readonly lane: string | undefined;
  readonly isText: boolean;
  until: number;
}

interface Known {
  /** Events up to this one were read before. */
  seen: number;
  /** Told already. */
  readonly loops: Loop[];
}

/** `isNews` says whether what is being read now was written while we watched. */
export function createAlarms(preset: Preset, isNews: () => boolean, onAlarm: (alarm: Alarm) => void): Alarms {
  const known = new Map<string, Known>();
  let watches = new Map<RecordedSession, Watch>();

  function watchOf(session: RecordedSession): Watch {
    let watch = watches.get(session);
    if (watch === undefined) {
      watch = createWatch({ detectors: preset.detectorsFor(session) });
      watches.set(session, watch);
    }
    return watch;
  }

  function knownOf({ id }: RecordedSession): Known {
    let one = known.get(id);
    if (one === undefined) {
      one = { seen: -1, loops: [] };
      known.set(id, one);
    }
    return one;
  }

  return {
    startOver() {
      watches = new Map();
    },
    observe(event, session) {
      const watch = watchOf(session);
      const verdict = watch.observe(event);
      if (verdict.status !== 'looping' || !isNews()) return;
      const { seen, loops } = knownOf(session);
      for (const finding of verdict.findings) {
        if (finding.status !== 'looping' || finding.seq <= seen) continue;
        const { lane, onset, seq } = finding;
        const isText = finding.tools.length === 0;
        const told = loops.findLast((one) => one.lane === lane && one.isText === isText && onset <= one.until);
        if (told) told.until = seq;
        else {
          loops.push({ lane, isText, until: seq });
          onAlarm({ session, finding, message: watch.explain(finding) });
        }
      }
    },
    settle() {
      for (const [session, watch] of watches) {
        const one = knownOf(session);
        one.seen = Math.max(one.seen, watch.seq - 1);
      }
    },
    forget() {
      known.clear();
      watches = new Map();
    },
  };
}
