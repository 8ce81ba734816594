import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import type { Format, ReadFault, RecordedSession, Recorder, SessionFacts } from '../format.js';
import type { ReadSummary, SessionVisitor } from '../visitor.js';
import { sessionNameOf } from './session-name.js';

/** The recorder of one file, with members for the reader of the file that translators do not see. */
export interface FileRecorder extends Recorder {
  /** The name of the format that reads it; undefined if none recognises it. */
  format: string | undefined;
  /** The line of the current record, for faults; 0 if it has none. */
  line: number;
  /** The file that is being read, if it is not `file` (see `LinesFormat.parts`). */
  part: string | undefined;
  records: number;
  report(kind: ReadFault['kind'], message: string, line?: number): void;
  /** Runs code that works on foreign data. What it throws becomes a fault, unless the visitor threw it. */
  attempt(work: () => void): void;
  /** Reports what code threw that works on foreign data. */
  failed(cause: unknown): void;
  /** Closes what is open. */
  finish(): void;
  summary(bytes: number): ReadSummary;
}

/** Thrown through translators when the visitor throws, so that it is not reported as a fault of the log. */
export class VisitorError extends Error {
  constructor(override readonly cause: unknown) {
    super('the visitor of the sessions threw');
  }
}

/** At most this many kinds of skipped records are distinguished; foreign data must not fill the memory with names. */
const maxSkippedTypes = 100;

export function createRecorder(
  file: string,
  { name: format, shape }: Pick<Format, 'name' | 'shape'> | { name?: undefined; shape?: undefined },
  visitor: SessionVisitor,
): FileRecorder {
  const open = new Map<string, RecordedSession>();
  const skipped = new Map<string, number>();
  let sessions = 0;
  let events = 0;
  let calls = 0;
  let faults = 0;

  function asked<Answer>(visit: () => Answer): Answer {
    try {
      return visit();
    } catch (cause) {
      throw new VisitorError(cause);
    }
  }

  const recorder: FileRecorder = {
    file,
    format,
    fallbackId: sessionNameOf(file),
    beside: (name) => basename(name) === name && existsSync(join(dirname(file), name)),
    wants: visitor.wants && ((id, revision) => asked(() => visitor.wants!(id, revision))),
    line: 0,
    part: undefined,
    records: 0,
    open(id, facts) {
      let session = open.get(id);
      if (session === undefined) {
        session = { id, agent: 'unknown', format: recorder.format ?? 'unknown', file, events: 0 };
        learn(session, facts);
        open.set(id, session);
        sessions++;
        const begun = session;
        if (visitor.onSession) asked(() => visitor.onSession!(begun));
      } else learn(session, facts);
      return session;
    },
    rename(session, id) {
      if (open.get(session.id) !== session || open.has(id)) return;
      open.delete(session.id);
      session.id = id;
      open.set(id, session);
    },
    emit(session, event) {
      const { at } = event;
      if (at !== undefined) {
        if (session.startedAt === undefined || at < session.startedAt) session.startedAt = at;
        if (session.endedAt === undefined || at > session.endedAt) session.endedAt = at;
      }
      session.events++;
      events++;
      if (event.type === 'tool-call') calls++;
      try {
        visitor.onEvent(event, session);
      } catch (cause) {
        throw new VisitorError(cause);
      }
    },
    close(session) {
      if (open.get(session.id) !== session) return;
      open.delete(session.id);
      if (visitor.onEnd) asked(() => visitor.onEnd!(session));
    },
    skip(type) {
      const name = skipped.has(type) || skipped.size < maxSkippedTypes ? type : 'other';
      skipped.set(name, (skipped.get(name) ?? 0) + 1);
    },
    fault: (message) => recorder.report('strange', message, recorder.line),
    report(kind, message, line = 0) {
      faults++;
      const fault = { file: recorder.part ?? file, ...(line > 0 ? { line } : {}), kind, message };
      if (visitor.onFault) asked(() => visitor.onFault!(fault));
    },
    attempt(work) {
      try {
        work();
      } catch (cause) {
        recorder.failed(cause);
      }
    },
    failed(cause) {
      if (cause instanceof VisitorError) throw cause;
      recorder.fault(`it could not be read: ${messageOf(cause)}`);
    },
    finish() {
      for (const session of [...open.values()]) recorder.close(session);
    },
    summary: (bytes) => ({
      file,
      format: recorder.format,
      shape: recorder.format === undefined ? undefined : shape,
      bytes,
      records: recorder.records,
      sessions,
      events,
      calls,
      faults,
      skipped: Object.fromEntries(skipped),
    }),
  };
  return recorder;
}

function learn(session: RecordedSession, facts: SessionFacts | undefined): void {
  if (facts === undefined) return;
  for (const key in facts) {
    const value = facts[key as keyof SessionFacts];
    if (value !== undefined) (session as unknown as Record<string, unknown>)[key] = value;
  }
}
