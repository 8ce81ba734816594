import type { AgentEvent } from 'loopfuse';
import type { Format, ReadFault, RecordedSession } from './format.js';

/** What the caller is shown of the sessions in a file. All of it is synchronous; an error that it throws ends the reading and is thrown on. */
export interface SessionVisitor {
  /**
   * Asked by formats that keep many sessions in one file, before anything of a session is told. `revision` changes
   * whenever the session does. What is not wanted is skipped, for callers that read the same file again and again.
   */
  wants?(id: string, revision: string): boolean;
  /** A session begins. Its facts may still grow (see `RecordedSession`). */
  onSession?(session: RecordedSession): void;
  /** Sessions may be interleaved: an event belongs to the session it comes with. */
  onEvent(event: AgentEvent, session: RecordedSession): void;
  /** No more events will come for it. */
  onEnd?(session: RecordedSession): void;
  onFault?(fault: ReadFault): void;
}

export interface ReadOptions {
  /** Bytes; longer lines, and longer values in JSON documents, are reported and skipped. */
  readonly longestLine?: number;
  readonly signal?: AbortSignal;
}

/** What came of a file. */
export interface ReadSummary {
  readonly file: string;
  /** Undefined when no format knows it. */
  readonly format: string | undefined;
  /** How that format is laid out; what is of shape `file` may have been read from other files, too. */
  readonly shape: Format['shape'] | undefined;
  /** Size on disk, as far as it was read. */
  readonly bytes: number;
  readonly records: number;
  readonly sessions: number;
  readonly events: number;
  readonly calls: number;
  readonly faults: number;
  /** How many records of which type hold nothing for us. */
  readonly skipped: Readonly<Record<string, number>>;
}
