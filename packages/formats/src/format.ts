import type { AgentEvent, EventOf, Json } from 'loopfuse';
import type { Head } from './records/head.js';

/**
 * What a log says about a recorded session. It is filled in while the log is read (a model is often named only by the
 * first answer), so it is complete when the session ends, not when it begins.
 */
export interface RecordedSession {
  /** Unique within its file: the agent's own id, or one made from the file's name until the log gives the id. */
  id: string;
  /** Kebab-case: `claude-code`, `codex`, `gemini-cli`, …; `unknown` if the log does not say. */
  agent: string;
  /** The name of the format it was read by. */
  readonly format: string;
  readonly file: string;
  model?: string;
  /** The folder the agent worked in. */
  project?: string;
  /** The agent's version. */
  version?: string;
  title?: string;
  /** The session that started this one, if this is a sub-agent with its own log. */
  parent?: string;
  /**
   * The id of its first record, if records have ids in this log. A session that was resumed or forked may begin with the
   * records of another session, and then both have the same `root`.
   */
  root?: string;
  /** The time of the beginning, and of the last event that has a time, in milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
  /** How many events were read so far. */
  events: number;
}

/** Tokens of an answer, and the model of the answer if the log names it: a session may use several models. */
export type RecordedUsage = EventOf<'usage'> & { model?: string };

/** What a translator knows about a session. A fact that is undefined is not known yet. */
export type SessionFacts = {
  readonly [Fact in 'agent' | 'model' | 'project' | 'version' | 'title' | 'parent']?: string | undefined;
} & {
  /** For logs that have the time of the beginning, but no times of events. */
  readonly startedAt?: number | undefined;
};

/** Something in a file that could not be used. Reading continues after it wherever that is possible. */
export interface ReadFault {
  readonly file: string;
  /** 1-based; absent where the fault is about the file as a whole. */
  readonly line?: number;
  readonly kind:
    | 'unreadable' // the file could not be opened or read
    | 'not-a-session' // no known format
    | 'broken' // a line or a value that is not valid JSON
    | 'too-long' // a line or a value longer than the limit; it was skipped
    | 'cut' // the file, or the readable part of it, ends in the middle of something; `line` is then its last line
    | 'strange'; // JSON, but not as the format defines it
  readonly message: string;
}

/**
 * What a translator writes to. Sessions may be open side by side. Everything here is synchronous; nothing throws.
 */
export interface Recorder {
  readonly file: string;
  /** An id for a session whose log has none. */
  readonly fallbackId: string;
  /** Whether a file of this name is in the same folder, for agents that write one session into two files. */
  beside(name: string): boolean;
  /**
   * For files with many sessions: whether the visitor wants this one (see `SessionVisitor`). Undefined if it wants all.
   */
  readonly wants?: ((id: string, revision: string) => boolean) | undefined;
  /** Opens a session, or returns the one already open under this id with the new facts added. */
  open(id: string, facts?: SessionFacts): RecordedSession;
  /** Changes the id of a session, for logs that give the id late. Does nothing if another session has this id. */
  rename(session: RecordedSession, id: string): void;
  emit(session: RecordedSession, event: AgentEvent): void;
  /** No more events will come for it. Sessions still open at the end of the file are closed then. */
  close(session: RecordedSession): void;
  /** A record of a type that this format does not use: counted, not reported. */
  skip(type: string): void;
  /** Reports the current record: it is not as the format defines it. */
  fault(message: string): void;
}

/** Turns the records of one file into events. It keeps the state to pair, de-duplicate and close; it never throws. */
export interface Translator<Record> {
  record(record: Record, key: string): void;
  /**
   * For JSON lines of which much is never used: looks at the bytes of a line before it is parsed. It is called with long
   * lines that end in "}", and returns undefined whenever it is not sure.
   */
  glance?(line: Buffer): Glimpse | undefined;
  /** The file has ended, wherever that was. */
  end(): void;
}

/**
 * `skip`: nothing in the line is used. It is counted under this type, if any (as `Recorder.skip` does), and not parsed.
 * `read`: a shorter JSON text from which `record` makes the same events. If it is not valid JSON, the whole line is
 * read.
 */
export type Glimpse = { readonly skip: string | undefined } | { readonly read: string };

interface FormatBase {
  /** Kebab-case; the folder's name. */
  readonly name: string;
  /** Whether a file of this kind holds this format, judged by how it begins. Must not throw. */
  sniff(head: Head): boolean;
}

/** JSON lines: every line with a JSON value is a record; the key is always ''. */
export interface LinesFormat extends FormatBase {
  readonly shape: 'lines';
  translate(recorder: Recorder): Translator<Json>;
  /** Files that continue `file`: those that sub-agents wrote about the same session. Never throws. */
  parts?(file: string): readonly string[];
}

/**
 * One JSON value for the whole file, passed on piece by piece so that large files need little memory and cut files are
 * read as far as they go. The elements of a top-level array are records with the key ''; the members of a top-level
 * object are records under their key, and where a member is an array, each of its elements is.
 */
export interface DocumentFormat extends FormatBase {
  readonly shape: 'document';
  translate(recorder: Recorder): Translator<Json>;
}

/** Lines of text; the key is always ''. */
export interface TextFormat extends FormatBase {
  readonly shape: 'text';
  translate(recorder: Recorder): Translator<string>;
}

/** Formats that are not a stream: databases, and sessions spread over the files of a folder. */
export interface FileFormat extends FormatBase {
  readonly shape: 'file';
  /**
   * Returns whether the file really has this format. May read `recorder.file` and the files that belong to it by the
   * format's own rules, never a path found inside a log. An error that it throws is reported as a fault of the file.
   */
  read(recorder: Recorder): Promise<boolean> | boolean;
}

export type Format = LinesFormat | DocumentFormat | TextFormat | FileFormat;
