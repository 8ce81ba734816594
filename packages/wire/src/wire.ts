import type { AgentEvent, Json } from 'loopfuse';
import type { Place, Protocol, RequestView } from './conversation.js';

/**
 * Reads and writes one provider's protocol. Pure: no clock, no randomness, no I/O. Reading is total: for any body or
 * chunk, what is understood is returned and the rest is left out.
 */
export interface Wire {
  readonly name: Protocol;
  /**
   * A piece of a stream without any of these strings begins no call and ends no answer: it is only text, or nothing.
   * Quotes inside text are escaped, so that text about these strings is not taken for them.
   */
  readonly marks: readonly string[];
  readRequest(body: unknown, place?: Place): RequestView;
  /** How many entries the history in the body has. Notes are placed by this number. */
  historyLength(body: unknown): number;
  /** The body with our messages in it. A note whose place is not valid any more is left out. */
  withNotes(body: unknown, notes: readonly Note[]): Json;
  /** The body that asks again after calls were refused: with what the model said, and a result for every call. */
  withRefusal(body: unknown, said: readonly Json[], refused: readonly RefusedCall[]): Json;
  readAnswer(options?: ReadAnswerOptions): AnswerReader;
  writeAnswer(context: AnswerContext): AnswerWriter;
  /** An answer in one piece that consists of this text. */
  wholeAnswer(context: AnswerContext, text: string): Json;
  /** The body of an error with this HTTP status. */
  error(status: number, message: string): Json;
  /** What is sent to a client in the middle of a stream when the rest of the answer will not come. */
  brokenOff(message: string): string;
  /** The answer to a request of a session that was stopped: one that clients of this protocol show and do not retry. */
  stopped(message: string): { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** Our message to the model, after the first `at` entries of the history. */
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

/** Reads one answer of the model, chunk by chunk or whole. Its events end the turn, but do not start it. */
export interface AnswerReader {
  /** The events of one chunk of a stream, or of a whole body, parsed. `undefined` means a chunk that is not JSON. */
  read(value: unknown): readonly AgentEvent[];
  /** The remaining events when the stream has ended. */
  end(): readonly AgentEvent[];
  /** Whether a call is being assembled. */
  readonly open: boolean;
  /** Whether the provider has said that the answer is complete. */
  readonly complete: boolean;
  /** The error that the provider reports in the middle of a stream. */
  readonly error: string | undefined;
  /** What the model said, as entries of a history. Unsigned reasoning is left out. */
  said(): readonly Json[];
}

/** What is needed to write our own answer. */
export interface AnswerContext {
  /** Letters and digits; each protocol adds its own prefix. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  /** The request that is answered. */
  readonly body: unknown;
  /** Called with the items of an answer that we ended: no provider keeps it, but a request may go on from its id. */
  readonly onEnded?: (id: string, items: readonly Json[]) => void;
}

/** Follows what was sent to a client, so that another answer can continue the answer, or we can end it properly. */
export interface AnswerWriter {
  /**
   * A chunk must go to the client. Returns what to send instead of its bytes: an empty string for nothing, `undefined`
   * if the bytes are sent unchanged.
   */
  pass(value: unknown): string | undefined;
  /** The next call of the upstream's answer is left out. */
  skipCall(id: string): void;
  /** Another answer follows and continues this one. Returns what must be sent before it. */
  again(): string;
  /** Closes the answer with a text, as a complete turn of the model. */
  end(text: string): string;
}
