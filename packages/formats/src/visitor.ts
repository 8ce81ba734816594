import type { AgentEvent } from 'loopfuse';
import type { Format, ReadFault, RecordedSession } from './format.js';

/**
 * Receives the sessions in a file. All of it is synchronous. An error that it throws ends the reading and is rethrown.
 */
export interface SessionVisitor {
  /**
   * Called by formats with many sessions in one file, before anything of a session is reported. `revision` changes
   * whenever the session does. A session that is not wanted is skipped, for callers that read the same file repeatedly.
   */
  wants?(id: string, revision: string): boolean;
  /** A session begins. Its facts may still grow (see `RecordedSession`). */
  onSession?(session: RecordedSession): void;
  /** Sessions may be interleaved: an event belongs to the session that is passed with it. */
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

/** The result of reading a file. */
export interface ReadSummary {
  readonly file: string;
  /** Undefined when no format knows it. */
  readonly format: string | undefined;
  /** The shape of that format. With `file`, other files may have been read, too. */
  readonly shape: Format['shape'] | undefined;
  /** Size on disk, as far as it was read. */
  readonly bytes: number;
  readonly records: number;
  readonly sessions: number;
  readonly events: number;
  readonly calls: number;
  readonly faults: number;
  /** The number of unused records, by their type. */
  readonly skipped: Readonly<Record<string, number>>;
}
