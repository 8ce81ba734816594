import type { Stats } from 'node:fs';
import { readSessions } from '@loopfuse/formats';
import type { Preset } from '../../presets.js';
import { identityOf } from '../scan/cache.js';
import { type Alarm, createAlarms } from './alarms.js';
import { createLineReading, growsByLines, type LineReading } from './line-reading.js';

/** Follows one file: what is added to it, and what becomes of it when it is cut, replaced or written anew. */
export interface Follower {
  /** Looks whether something happened, and reads it. `stats` are those of the file now. Never rejects. */
  look(path: string, stats: Stats): Promise<void>;
}

export interface FollowerOptions {
  readonly preset: Preset;
  readonly onAlarm: (alarm: Alarm) => void;
  /** Whether the file was there before we watched: what stands in it then is no news. */
  readonly isOld: boolean;
}

/** A file that nobody has written to for so long is read when somebody does, in milliseconds. */
const restful = 10 * 60_000;

export function createFollower({ preset, onAlarm, isOld }: FollowerOptions): Follower {
  let isNews = false;
  const alarms = createAlarms(preset, () => isNews, onAlarm);
  let identity = '';
  let oldBytes: number | undefined;
  let lines: LineReading | undefined;

  /** From its beginning; the first `quiet` bytes are old. */
  async function readAll(path: string, quiet: number): Promise<void> {
    alarms.startOver();
    lines = growsByLines(path) ? createLineReading(path, alarms.observe) : undefined;
    if (lines) {
      isNews = false;
      lines.more(path, quiet);
      alarms.settle();
      isNews = true;
      lines.more(path);
    } else {
      // Where a document is written anew, what is old in it is known by its place in the session.
      isNews = quiet === 0;
      await readSessions(path, { onEvent: alarms.observe });
    }
  }

  return {
    async look(path, stats) {
      const now = identityOf(path, stats);
      if (now === identity) return;
      const isFirst = oldBytes === undefined;
      oldBytes ??= isOld ? stats.size : 0;
      identity = now;
      if (isFirst && isOld && Date.now() - stats.mtimeMs > restful) return;
      try {
        if (lines?.goesOn(path, stats.size)) lines.more(path);
        else {
          if (lines) alarms.forget();
          await readAll(path, oldBytes);
        }
        oldBytes = 0;
        alarms.settle();
      } catch {
        identity = ''; // gone under our hands, perhaps; the next look tells
      }
    },
  };
}
