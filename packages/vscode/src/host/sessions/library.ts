import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { loopsIn, type RecordedLoop } from './loops-in.js';
import { readRecordings } from './recording.js';

/** A summary of a session, without its events. */
export interface Shelved {
  readonly file: string;
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly model: string;
  readonly events: number;
  readonly loops: readonly RecordedLoop[];
}

/** Scans each file once, and again when it has changed; one file at a time, in the background. */
export interface Library {
  /** Rejects if the file cannot be read, with a message for the user. */
  look(file: string): Promise<readonly Shelved[]>;
  /** The result of the last scan, if there is one. */
  known(file: string): readonly Shelved[] | undefined;
}

interface Entry {
  readonly stamp: string;
  readonly sessions: readonly Shelved[];
}

export function createLibrary(): Library {
  const entries = new Map<string, Entry>();
  let queue: Promise<unknown> = Promise.resolve();

  async function look(file: string): Promise<readonly Shelved[]> {
    const { mtimeMs, size } = await stat(file);
    const stamp = `${mtimeMs} ${size}`;
    const entry = entries.get(file);
    if (entry?.stamp === stamp) return entry.sessions;
    const sessions: Shelved[] = [];
    for (const { session, events } of await readRecordings(file)) {
      const { id, agent, model = '', title = '' } = session;
      const name = title.trim().split('\n')[0]!.slice(0, 120) || (id === '' ? basename(file) : id);
      sessions.push({ file, id, title: name, agent, model, events: events.length, loops: await loopsIn(events) });
    }
    entries.set(file, { stamp, sessions });
    return sessions;
  }

  return {
    look(file) {
      const looked = queue.then(() => look(file));
      queue = looked.catch(() => {});
      return looked;
    },
    known: (file) => entries.get(file)?.sessions,
  };
}
