import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ReadSummary, readSessions } from '@loopfuse/formats';
import { messageOf } from 'loopfuse/words';
import type { Preset } from '../../presets.js';
import { identityOf } from '../../recorded/cache.js';
import { type Alarm, createAlarms } from './alarms.js';
import { createLineReading, growsByLines, type LineReading } from './line-reading.js';
import type { Memory } from './memory.js';

/** Follows one file: reads what is added to it, also after it was cut, replaced or rewritten. */
export interface Follower {
  /** Reads what is new. `stats` are those of the file now. Never rejects. */
  look(path: string, stats: Stats): Promise<void>;
  /** Whether the log that was followed is now at this path, under another name than before. */
  movedTo(path: string, stats: Stats): boolean;
}

export interface FollowerOptions {
  readonly preset: Preset;
  readonly memory: Memory;
  readonly onAlarm: (alarm: Alarm) => void;
  /** Whether the file existed before the watch began: its content at that time is not reported. */
  readonly isOld: boolean;
  /** Called once for a file that must not be read. */
  readonly onUnreadable?: (fault: { readonly file: string; readonly message: string }) => void;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** A file that was not written to for this long is read only when it is written to again, in milliseconds. */
const restful = 10 * 60_000;
/** A file that must be read as a whole is next read after a pause of this many times the reading time. */
const restFactor = 10;

export function createFollower(options: FollowerOptions): Follower {
  const { preset, memory, onAlarm, isOld, onUnreadable, clock = () => performance.now() } = options;
  let isForbidden = false;
  let isNews = false;
  let held: Alarm[] | undefined;
  const alarms = createAlarms({
    preset,
    memory,
    isNews: () => isNews,
    onAlarm(alarm) {
      if (held) held.push(alarm);
      else onAlarm(alarm);
    },
  });
  let identity = '';
  let oldBytes: number | undefined;
  let lines: LineReading | undefined;
  let isFolder = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  /** The last revision of each session, for files with many sessions. */
  const revisions = new Map<string, string>();

  /** From its beginning; the first `quiet` bytes are old. */
  async function readAll(path: string, quiet: number): Promise<void> {
    alarms.startOver();
    lines = growsByLines(path) ? createLineReading(path, alarms.observe) : undefined;
    if (lines) {
      isNews = false;
      lines.more(path, quiet);
      isNews = true;
      lines.more(path);
    } else {
      // In a file that is rewritten as a whole, old events are recognised by their content.
      isNews = quiet === 0;
      await readWhole(path);
    }
  }

  /** Holds alarms back until the end: documents may name the session, or its folder, after its events. */
  async function readWhole(path: string): Promise<void> {
    const begun = clock();
    const read = new Map<string, string>();
    held = [];
    try {
      const wants = (id: string, revision: string) => {
        read.set(id, revision);
        return revisions.get(id) !== revision;
      };
      isFolder = isFolderOf(await readSessions(path, { wants, onEvent: alarms.observe }));
      for (const [id, revision] of read) revisions.set(id, revision);
    } finally {
      const found = held;
      held = undefined;
      found.forEach(onAlarm);
    }
    const ended = clock();
    restsUntil = ended + (ended - begun) * restFactor;
  }

  return {
    async look(path, stats) {
      if (clock() < restsUntil) return;
      const now = isFolder ? `${identityOf(path, stats)} ${changedAt(dirname(path))}` : identityOf(path, stats);
      if (now === identity) return;
      const isFirst = oldBytes === undefined;
      oldBytes ??= isOld ? stats.size : 0;
      identity = now;
      if (isFirst && isOld && Date.now() - stats.mtimeMs > restful) return;
      try {
        if (lines?.goesOn(path, stats.size)) lines.more(path);
        else await readAll(path, oldBytes);
        oldBytes = 0;
      } catch (cause) {
        identity = ''; // gone meanwhile, perhaps; the next look finds out
        if (isForbidden || !/^(EACCES|EPERM)$/.test((cause as NodeJS.ErrnoException).code ?? '')) return;
        isForbidden = true;
        onUnreadable?.({ file: path, message: `it could not be read: ${messageOf(cause)}` });
      }
    },
    movedTo(path, stats) {
      try {
        return lines?.goesOn(path, stats.size) === true;
      } catch {
        return false;
      }
    },
  };
}

/** Whether a file represents a session that is spread over the files of its folder. */
function isFolderOf({ file, shape, sessions }: ReadSummary): boolean {
  return sessions > 0 && shape === 'file' && !/\.db$/i.test(file);
}

function changedAt(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
