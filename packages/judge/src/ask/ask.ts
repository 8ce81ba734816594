import type { answerSchema } from '../answer.js';

/** What a judge is asked. */
export interface JudgeRequest {
  /** What a judge is and how to judge: the text of `prompt.md`. */
  readonly system: string;
  /** The record of the session, which is data, and the question. */
  readonly prompt: string;
  /** The shape of the answer, as JSON Schema. */
  readonly schema: typeof answerSchema;
  /** 1 or 2. */
  readonly attempt: number;
}

/**
 * Puts a request to a judge, whoever that is. Gives an answer `{ analysis, confidence }` or the JSON text of one, fenced
 * or not; where the answer is an object it may hold what it cost, as `usage: { inputTokens, outputTokens }`. It should
 * obey the signal; once that is aborted, nobody waits for it.
 */
export type Ask = (request: JudgeRequest, signal: AbortSignal) => Promise<unknown>;

/** What came back, with the tokens it took as far as they are known. */
export interface Reply {
  readonly answer: unknown;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A count that a provider reports; anything else is none. */
export function tokensOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < 1e12 ? value : 0;
}

export async function askFunction(ask: Ask, request: JudgeRequest, signal: AbortSignal): Promise<Reply> {
  const answer = await ask(request, signal);
  const usage = (answer as { usage?: { inputTokens?: unknown; outputTokens?: unknown } | null } | null)?.usage;
  return { answer, inputTokens: tokensOf(usage?.inputTokens), outputTokens: tokensOf(usage?.outputTokens) };
}
