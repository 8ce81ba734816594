import type { AgentEvent } from 'loopfuse';
import type { Call, ToolResult } from './conversation.js';
import { argumentsOf, fieldsOf, stringOf } from './foreign.js';

/** The token counts of a provider; a count that it does not report is undefined. */
export interface Counts {
  readonly input: unknown;
  readonly output: unknown;
  /** The part of the input that came from its cache, */
  readonly cached?: unknown;
  /** the part that was written to it, and the part of that which is kept for an hour. */
  readonly written?: unknown;
  readonly writtenLong?: unknown;
}

/** What the four readers share: the usage and the end of a turn, reported once, at the end. */
export interface Closing {
  /** Records the provider's token counts; later counts replace earlier ones. */
  count(counts: Counts): void;
  /** Records why the turn ended, in the provider's word. */
  finish(reason: unknown): void;
  fail(message: unknown): void;
  readonly complete: boolean;
  readonly error: string | undefined;
  /** The events that end the turn, the first time it is called. */
  events(): readonly AgentEvent[];
}

export function createClosing(): Closing {
  let input = 0;
  let output = 0;
  let cached = 0;
  let written = 0;
  let writtenLong = 0;
  let reason = '';
  let error: string | undefined;
  let reported = false;
  return {
    count(counts) {
      input = amount(counts.input) ?? input;
      output = amount(counts.output) ?? output;
      cached = amount(counts.cached) ?? cached;
      written = amount(counts.written) ?? written;
      writtenLong = amount(counts.writtenLong) ?? writtenLong;
    },
    finish(word) {
      reason ||= stringOf(word);
    },
    fail(message) {
      error ??= stringOf(message) || 'the provider reported an error';
    },
    get complete() {
      return reason !== '' || error !== undefined;
    },
    get error() {
      return error;
    },
    events() {
      if (reported) return [];
      reported = true;
      const usage: AgentEvent[] =
        input + output > 0
          ? [
              {
                type: 'usage',
                inputTokens: input,
                outputTokens: output,
                ...(cached > 0 ? { cachedTokens: cached } : {}),
                ...(written > 0 ? { cacheWriteTokens: written } : {}),
                ...(writtenLong > 0 ? { longCacheWriteTokens: writtenLong } : {}),
              },
            ]
          : [];
      const why = error !== undefined ? 'error' : reason;
      return [...usage, { type: 'turn-end', ...(why === '' ? {} : { reason: why }) }];
    },
  };
}

/** The event of a call whose arguments came as JSON text. */
export function callEvent(id: string, tool: string, source: string): AgentEvent {
  return { type: 'tool-call', id, tool, input: argumentsOf(source) };
}

/**
 * The events of a call that the provider has run itself: the call and its result come in one batch, and it cannot be
 * refused. `ranByProvider` recognises such calls by their result.
 */
export function ranEvents(
  { id, tool, input }: Call,
  { text, failed }: Pick<ToolResult, 'text' | 'failed'>,
): readonly AgentEvent[] {
  return [
    { type: 'tool-call', id, tool, input },
    { type: 'tool-result', id, output: text, ...(failed === true ? { failed } : {}) },
  ];
}

/** The ids of those calls among the events of an answer that the provider has run. */
export function ranByProvider(events: readonly AgentEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === 'tool-result' ? [event.id] : [])));
}

/** The message of an error body of any of the protocols. */
export function errorMessage(value: unknown): string | undefined {
  const { error, message } = fieldsOf(value);
  if (error === undefined || error === null) return undefined;
  return stringOf(fieldsOf(error).message) || stringOf(error) || stringOf(message);
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
