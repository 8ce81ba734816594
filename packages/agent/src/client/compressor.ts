import {
  charactersPerToken,
  compressionPrompt,
  estimatedTokens,
  splitHistory,
  transcript,
  withShortResults,
  withSummary,
} from '../history/compress.js';
import type { Message } from '../history/message.js';
import { errorInWords, retryInWords } from '../model/error-in-words.js';
import type { TraceEvent } from '../trace.js';
import { addPart, startDraft, type Usage } from '../turn/draft.js';
import type { Ask } from './ask.js';
import type { ClientEvent } from './client-event.js';
import { remark } from './remark.js';
import { addUsage, type State } from './state.js';

export interface CompressorOptions {
  readonly state: State;
  readonly ask: Ask;
  /** The size of the model's context. */
  readonly contextTokens: number;
  /** Compress when the history fills this part of it. */
  readonly compressAt: number;
  /** Takes secrets out of a text. */
  mask(text: string): string;
  trace(event: TraceEvent): void;
}

/** Replaces the older part of a history that is about to become too long by a summary that the model writes. */
export interface Compressor {
  /** Compresses where the history is full enough. Returns whether the history is shorter now. */
  whenFull(signal: AbortSignal): AsyncGenerator<ClientEvent, boolean>;
  /** Compresses in any case. */
  now(signal: AbortSignal): AsyncGenerator<ClientEvent, boolean>;
}

/** The part of the context that the end of the conversation, which is kept word for word, may fill. */
const keptPart = 0.25;

export function createCompressor(options: CompressorOptions): Compressor {
  const { state, ask, contextTokens, compressAt, mask, trace } = options;
  // After a failure it is not tried again until the history has grown by a twentieth.
  let notBefore = 0;

  async function* now(signal: AbortSignal): AsyncGenerator<ClientEvent, boolean> {
    const before = tokensOf(state);
    const characters = contextTokens * charactersPerToken;
    const split = splitHistory(state.history, Math.floor(Math.min(characters, before * charactersPerToken) * keptPart));
    if (split === undefined) return false;
    const summary = yield* summarised(split.head, Math.floor(characters / 2), signal);
    if (signal.aborted) return false;
    const after = summary.text === undefined ? undefined : shorter(summary.text, split.tail);
    if (after === undefined) {
      notBefore = before + contextTokens / 20;
      const why = summary.problem ?? 'the summary is not shorter than the messages that it would replace.';
      yield remark(state, { type: 'warning', message: `The conversation could not be compressed: ${why}` });
      return false;
    }
    state.history = after;
    state.context = { tokens: 0, messages: 0 };
    trace({ type: 'history-compressed' });
    yield remark(state, { type: 'history-compressed', tokensBefore: before, tokensAfter: tokensOf(state) });
    return true;
  }

  function shorter(summary: string, tail: readonly Message[]): readonly Message[] | undefined {
    const roomy = withSummary(summary, state.request, tail);
    const fits = estimatedTokens(roomy) < contextTokens * compressAt;
    const history = fits ? roomy : withShortResults(roomy, 2000);
    return estimatedTokens(history) < estimatedTokens(state.history) ? history : undefined;
  }

  async function* summarised(
    head: readonly Message[],
    characters: number,
    signal: AbortSignal,
  ): AsyncGenerator<ClientEvent, { text?: string; problem?: string }> {
    const draft = startDraft([]);
    const most = estimatedTokens(head) * charactersPerToken;
    let text = '';
    let usage: Usage | undefined;
    let problem: string | undefined;
    trace({ type: 'model-start', purpose: 'compression', ...ask.name });
    try {
      for await (const part of ask.aside(compressionPrompt, transcript(head, characters), signal)) {
        const piece = addPart(draft, part);
        if (piece?.type === 'text') text += piece.text;
        if (text.length > most) break; // longer than what it would replace, and perhaps endless
        if (piece?.type === 'usage') usage = piece.usage;
        if (piece?.type === 'retry') yield remark(state, { type: 'warning', message: mask(retryInWords(piece)) });
        if (piece?.type === 'error') problem = mask(errorInWords(piece.error));
      }
    } finally {
      if (usage) state.usage = addUsage(state.usage, usage);
      trace({
        type: 'model-end',
        purpose: 'compression',
        ...(usage ? { usage } : {}),
        ...(problem === undefined ? {} : { error: problem }),
      });
    }
    if (problem !== undefined) return { problem };
    return text.trim() === '' ? { problem: 'the model wrote nothing.' } : { text };
  }

  return {
    now,
    async *whenFull(signal) {
      const tokens = tokensOf(state);
      return tokens >= contextTokens * compressAt && tokens >= notBefore ? yield* now(signal) : false;
    },
  };
}

/** The tokens of the history: the last usage that the provider reported, and an estimate of the messages since. */
export function tokensOf({ history, context }: Pick<State, 'history' | 'context'>): number {
  return context.tokens + estimatedTokens(history.slice(context.messages));
}
