/** In dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had seen before. */
  readonly cached: number;
}

/** What was used; `cachedTokens` is the part of the input that came from the provider's cache. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** In dollars. */
export function costAt({ input, output, cached }: Price, { inputTokens, outputTokens, cachedTokens }: Tokens): number {
  const fresh = Math.max(0, inputTokens - cachedTokens);
  return (fresh * input + cachedTokens * cached + outputTokens * output) / 1e6;
}
