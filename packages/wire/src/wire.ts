import type { AgentEvent, Json } from 'loopfuse';
import type { Place, Protocol, RequestView } from './conversation.js';

/**
 * One provider's protocol, read and written. Pure: no clock, no randomness, no I/O. Reading is total: whatever a body or
 * a chunk is, what is understood is given and the rest left out.
 */
export interface Wire {
  readonly name: Protocol;
  /**
   * Without one of these texts, a stretch of a stream begins no call and ends no answer: it is text, or says nothing. A
   * quote within text is escaped, so that text which talks about them is not taken for them.
   */
  readonly marks: readonly string[];
  readRequest(body: unknown, place?: Place): RequestView;
  /** How many entries the history in the body has. Notes are placed by this number. */
  historyLength(body: unknown): number;
  /** The body with messages of ours in it. A note whose place is not valid any more is left out. */
  withNotes(body: unknown, notes: readonly Note[]): Json;
  /** The body that asks again after the model's calls were refused: what it said, and an answer to every call. */
  withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json;
  readAnswer(options?: ReadAnswerOptions): AnswerReader;
  writeAnswer(context: AnswerContext): AnswerWriter;
  /** An answer in one piece that consists of this text. */
  wholeAnswer(context: AnswerContext, text: string): Json;
  /** The body of an error with this HTTP status. */
  error(status: number, message: string): Json;
  /** What a client is sent in the middle of a stream when no more of the answer will come. */
  brokenOff(message: string): string;
  /** The answer to a request of a session that was stopped: one that clients of this protocol show and do not retry. */
  stopped(message: string): { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** A message of ours to the model, after the first `at` entries of the history. */
export interface Note {
  readonly at: number;
  readonly text: string;
}

export interface RefusedCall {
  readonly id: string;
  readonly tool: string;
  /** What the model gets as the result. */
  readonly text: string;
}

export interface ReadAnswerOptions {
  /** Names calls that come without an id. By default they are counted. */
  readonly nameCall?: () => string;
  /** Called with the id of an answer that a later request may go on from. */
  readonly onId?: (id: string) => void;
}

/** Reads one answer of the model, chunk by chunk or whole. It starts no turn, but ends it. */
export interface AnswerReader {
  /** The events of one chunk of a stream, or of a whole body, parsed. `undefined` means a chunk that is no JSON. */
  read(value: unknown): readonly AgentEvent[];
  /** What is still to be said when the stream has ended. */
  end(): readonly AgentEvent[];
  /** Whether a call is being assembled. */
  readonly open: boolean;
  /** Whether the provider has said that the answer is complete. */
  readonly complete: boolean;
  /** What the provider reports as an error in mid-stream. */
  readonly error: string | undefined;
  /** What the model said, as entries of a history. Unsigned reasoning is left out. */
  said(): readonly Json[];
}

/** What an answer of ours needs to know. */
export interface AnswerContext {
  /** Letters and digits, to which each protocol puts its own prefix. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  /** The request that is answered. */
  readonly body: unknown;
  /** Called with what the client was given of an answer that we have ended: no provider keeps it, though a later request may go on from its id. */
  readonly onEnded?: (id: string, items: readonly Json[]) => void;
}

/** Follows what a client has been sent of an answer, so that it can be continued by another answer or ended in order. */
export interface AnswerWriter {
  /**
   * A chunk is to go to the client. Gives what to send instead of its bytes; an empty string where nothing is, `undefined`
   * where the bytes go as they came.
   */
  pass(value: unknown): string | undefined;
  /** The next call of the upstream's answer is left out. */
  skipCall(id: string): void;
  /** Another answer follows that continues this one. Gives what must be sent before. */
  again(): string;
  /** Closes the answer with a text, as a turn of the model that is complete. */
  end(text: string): string;
}
