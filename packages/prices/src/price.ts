/** In dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had seen before. */
  readonly cached: number;
  /** Input that is put into the provider's cache, for minutes and for an hour, where that costs more than other input. */
  readonly written?: number;
  readonly writtenLong?: number;
}

/** What was used. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that came from the provider's cache. */
  readonly cachedTokens: number;
  /** The part of the input that was put into it, and the part of that which stays there for an hour. */
  readonly cacheWriteTokens?: number;
  readonly longCacheWriteTokens?: number;
}

/** In dollars. */
export function costAt({ input, output, cached, written = input, writtenLong = written }: Price, used: Tokens): number {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = used;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const brief = Math.max(0, cacheWriteTokens - longCacheWriteTokens);
  const filling = brief * written + longCacheWriteTokens * writtenLong;
  return (fresh * input + cachedTokens * cached + filling + outputTokens * output) / 1e6;
}
