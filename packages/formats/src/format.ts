import type { AgentEvent, EventOf, Json } from 'loopfuse';
import type { Head } from './records/head.js';

/**
 * A recorded session as far as its log tells. It is filled in while the log is read (a model is often named only by
 * the first answer), so it is complete when the session ends, not when it begins.
 */
export interface RecordedSession {
  /** Unique within its file: the agent's own id, or one made from the file's name until the log tells it. */
  id: string;
  /** Kebab-case: `claude-code`, `codex`, `gemini-cli`, …; `unknown` where nothing tells. */
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
  /** The session that started this one, where a sub-agent has a log of its own. */
  parent?: string;
  /**
   * The id of its first record, where the log gives records ids: a session that was resumed or forked may begin with
   * the records of another, and then shares this with it.
   */
  root?: string;
  /** When it began, and when the last event came that carries a time, in milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
  /** How many events were read so far. */
  events: number;
}

/** Tokens of an answer, with the model that gave it where the log says so: a session may use several. */
export type RecordedUsage = EventOf<'usage'> & { model?: string };

/** What a translator knows of a session; what is undefined is not known yet. */
export type SessionFacts = {
  readonly [Fact in 'agent' | 'model' | 'project' | 'version' | 'title' | 'parent']?: string | undefined;
} & {
  /** For logs that say when a session began, but not when things happened in it. */
  readonly startedAt?: number | undefined;
};

/** Something in a file that could not be used. Reading goes on behind it wherever that is possible. */
export interface ReadFault {
  readonly file: string;
  /** 1-based; absent where the fault is about the file as a whole. */
  readonly line?: number;
  readonly kind:
    | 'unreadable' // the file could not be opened or read
    | 'not-a-session' // no known format
    | 'broken' // a line or a value that is no JSON
    | 'too-long' // a line or a value longer than the limit; it was skipped
    | 'cut' // the file, or what can be read of it, ends in the middle of something; with a line, of its last one
    | 'strange'; // JSON, but not what the format promises
  readonly message: string;
}

/**
 * What a translator writes to. Sessions may be open side by side. Everything here is synchronous; nothing throws.
 */
export interface Recorder {
  readonly file: string;
  /** An id for a session whose log names none. */
  readonly fallbackId: string;
  /** Whether a file of this name lies in the same folder; for agents that tell one session in two files. */
  beside(name: string): boolean;
  /** For files of many sessions: whether the visitor wants this one (see `SessionVisitor`); undefined if it wants all. */
  readonly wants?: ((id: string, revision: string) => boolean) | undefined;
  /** Opens a session, or returns the one already open under this id with the new facts added. */
  open(id: string, facts?: SessionFacts): RecordedSession;
  /** The log tells a session's id only now. Nothing happens when another session bears it. */
  rename(session: RecordedSession, id: string): void;
  emit(session: RecordedSession, event: AgentEvent): void;
  /** No more events will come for it. Sessions still open at the end of the file are closed then. */
  close(session: RecordedSession): void;
  /** A record of a type that this format does not use: counted, not reported. */
  skip(type: string): void;
  /** The present record is not what it should be. */
  fault(message: string): void;
}

/** Turns the records of one file into events. It keeps what it needs to pair, de-duplicate and close; it never throws. */
export interface Translator<Record> {
  record(record: Record, key: string): void;
  /**
   * For JSON lines that hold much which is never used: what the bytes of a line tell before it is parsed. It is shown
   * long lines that end in "}" and answers undefined whenever it is not sure.
   */
  glance?(line: Buffer): Glimpse | undefined;
  /** The file has ended, wherever that was. */
  end(): void;
}

/**
 * `skip`: the line holds nothing; it is counted under this type, if any (as `Recorder.skip` does), and not parsed. `read`: a
 * shorter JSON text that `record` makes the same of; where it turns out to be no JSON, the line is read whole.
 */
export type Glimpse = { readonly skip: string | undefined } | { readonly read: string };

interface FormatBase {
  /** Kebab-case; the folder's name. */
  readonly name: string;
  /** Whether a file of this kind holds this format, judged by how it begins. Must not throw. */
  sniff(head: Head): boolean;
}

/** JSON lines: every line that holds a JSON value is a record; the key is always ''. */
export interface LinesFormat extends FormatBase {
  readonly shape: 'lines';
  translate(recorder: Recorder): Translator<Json>;
  /** Files beside `file` that go on where it ends: what sub-agents wrote of the same session. Never throws. */
  parts?(file: string): readonly string[];
}

/**
 * One JSON value for the whole file, handed over piece by piece so that big files need little memory and cut files are
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

/** What does not come as a stream: databases, and sessions spread over the files of a folder. */
export interface FileFormat extends FormatBase {
  readonly shape: 'file';
  /**
   * Answers whether, on a closer look, it was of this format. May read `recorder.file` and what lies beside it by the
   * format's own rules, never a path found inside a log. What it throws is told as a fault of the file.
   */
  read(recorder: Recorder): Promise<boolean> | boolean;
}

export type Format = LinesFormat | DocumentFormat | TextFormat | FileFormat;
