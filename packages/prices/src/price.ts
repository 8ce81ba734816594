/** In dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that is read from the provider's cache. */
  readonly cached: number;
  /** Input that is written to the provider's cache, for minutes and for an hour, where that costs more than other input. */
  readonly written?: number;
  readonly writtenLong?: number;
}

/** What was used. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that came from the provider's cache. */
  readonly cachedTokens: number;
  /** The part of the input that was written to it, and the part of that which stays there for an hour. */
  readonly cacheWriteTokens?: number;
  readonly longCacheWriteTokens?: number;
}

/** What was used of one model. */
export interface ModelTokens extends Tokens {
  readonly model: string;
}

/** The maximum number of models of one session that are counted separately. */
const mostModels = 16;

/** The usage of each model, plus new usage of one model. */
export function withTokens(models: readonly ModelTokens[], model: string, used: Tokens): readonly ModelTokens[] {
  const known = models.findIndex((one) => one.model === model);
  if (known < 0) return models.length < mostModels ? [...models, { ...used, model }] : models;
  return models.with(known, { ...plus(models[known]!, used, 1), model });
}

/** The usage of each model since an earlier time. */
export function tokensSince(earlier: readonly ModelTokens[], models: readonly ModelTokens[]): readonly ModelTokens[] {
  return models
    .map((one) => {
      const before = earlier.find(({ model }) => model === one.model);
      return before === undefined ? one : { ...plus(one, before, -1), model: one.model };
    })
    .filter(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0);
}

/** The usage that is not known by model. */
export function tokensBeside(all: Tokens, models: readonly ModelTokens[]): Tokens {
  return models.reduce<Tokens>((rest, one) => plus(rest, one, -1), all);
}

function plus(a: Tokens, b: Tokens, sign: 1 | -1): Tokens {
  const written = sum(a.cacheWriteTokens, b.cacheWriteTokens, sign);
  const writtenLong = sum(a.longCacheWriteTokens, b.longCacheWriteTokens, sign);
  const tokens: { -readonly [Key in keyof Tokens]: Tokens[Key] } = {
    inputTokens: sum(a.inputTokens, b.inputTokens, sign),
    outputTokens: sum(a.outputTokens, b.outputTokens, sign),
    cachedTokens: sum(a.cachedTokens, b.cachedTokens, sign),
  };
  if (written > 0) tokens.cacheWriteTokens = written;
  if (writtenLong > 0) tokens.longCacheWriteTokens = writtenLong;
  return tokens;
}

function sum(one = 0, other = 0, sign: 1 | -1): number {
  return Math.max(0, one + sign * other);
}

/** In dollars. Invalid counts (negative, or not a number) count as 0, and the parts of the input are limited to the input. */
export function costAt({ input, output, cached, written = input, writtenLong = written }: Price, used: Tokens): number {
  const all = count(used.inputTokens);
  const read = Math.min(count(used.cachedTokens), all);
  const filled = Math.min(count(used.cacheWriteTokens), all - read);
  const filledLong = Math.min(count(used.longCacheWriteTokens), filled);
  const filling = (filled - filledLong) * written + filledLong * writtenLong;
  return ((all - read - filled) * input + read * cached + filling + count(used.outputTokens) * output) / 1e6;
}

/** Whether no tokens were used. */
export function isNothing({ inputTokens, outputTokens }: Tokens): boolean {
  return count(inputTokens) + count(outputTokens) === 0;
}

function count(tokens: number | undefined): number {
  return tokens !== undefined && tokens > 0 ? tokens : 0;
}
