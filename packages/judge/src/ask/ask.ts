import type { answerSchema } from '../answer.js';

/** A request to a judge. */
export interface JudgeRequest {
  /** The task of a judge: the text of `prompt.md`. */
  readonly system: string;
  /** The record of the session, which is data, and the question. */
  readonly prompt: string;
  /** The shape of the answer, as JSON Schema. */
  readonly schema: typeof answerSchema;
  /** 1 or 2. */
  readonly attempt: number;
}

/**
 * Sends a request to any judge. Returns an answer `{ analysis, confidence }` or its JSON text, with or without a fence.
 * An object may also hold its cost, as `usage: { inputTokens, outputTokens }`. The function should obey the signal;
 * once that is aborted, its answer is not awaited any more.
 */
export type Ask = (request: JudgeRequest, signal: AbortSignal) => Promise<unknown>;

/** The reply of a judge, with the tokens it took, as far as they are known. */
export interface Reply {
  readonly answer: unknown;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A count that a provider reports; 0 for anything else. */
export function tokensOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < 1e12 ? value : 0;
}

export async function askFunction(ask: Ask, request: JudgeRequest, signal: AbortSignal): Promise<Reply> {
  const answer = await ask(request, signal);
  const usage = (answer as { usage?: { inputTokens?: unknown; outputTokens?: unknown } | null } | null)?.usage;
  return { answer, inputTokens: tokensOf(usage?.inputTokens), outputTokens: tokensOf(usage?.outputTokens) };
}
