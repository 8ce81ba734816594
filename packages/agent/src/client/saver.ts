import { messageOf } from 'loopfuse/words';
import type { Session } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';
import type { LogLevel } from './client-options.js';

/** Saves the session of a client. Saves run one after the other, so the last one written is the latest. */
export interface Saver {
  /** Resolves to a sentence for the user, if there is something to say. Rejects when the session could not be saved. */
  save(): Promise<string | undefined>;
  /** The same, but a failure resolves to a sentence, too. */
  trySave(): Promise<string | undefined>;
}

export interface SaverOptions {
  /** Absent where sessions are not kept. */
  readonly keeper: SessionKeeper | undefined;
  readonly session: () => Session;
  readonly log: (level: LogLevel, message: string) => void;
}

export function createSaver({ keeper, session, log }: SaverOptions): Saver {
  let writing: Promise<unknown> = Promise.resolve();

  function save(): Promise<string | undefined> {
    if (keeper === undefined) return Promise.resolve(undefined);
    const written = writing.then(() => keeper.save(session()));
    writing = written.catch(() => {});
    return written;
  }

  return {
    save,
    async trySave() {
      try {
        const note = await save();
        if (note !== undefined) log('warn', note);
        return note;
      } catch (cause) {
        const problem = `The session could not be saved: ${messageOf(cause)}`;
        log('error', problem);
        return problem;
      }
    },
  };
}
