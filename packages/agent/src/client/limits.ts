import type { ClientOptions } from './client-options.js';

export type Limits = Required<
  Pick<ClientOptions, 'maxTurns' | 'contextTokens' | 'compressAt' | 'silenceSeconds' | 'retries'>
>;

/** In seconds. Node fires a timer that is set to more at once. */
const longestTimer = 2_147_483;

/** The limits of a client, checked. Throws `RangeError` that quotes what cannot be used. */
export function limitsOf(options: Partial<Limits>): Limits {
  const { maxTurns = 100, contextTokens = 128_000, compressAt = 0.7, silenceSeconds = 600, retries = 2 } = options;
  requireCount('maxTurns', maxTurns);
  requireCount('contextTokens', contextTokens);
  if (!(compressAt > 0 && compressAt < 1))
    throw new RangeError(`createClient: compressAt must be between 0 and 1, got ${String(compressAt)}`);
  if (!(silenceSeconds > 0 && silenceSeconds <= longestTimer))
    throw new RangeError(
      `createClient: silenceSeconds must be more than 0 and at most ${longestTimer}, got ${String(silenceSeconds)}`,
    );
  if (!Number.isInteger(retries) || retries < 0)
    throw new RangeError(`createClient: retries must be an integer of at least 0, got ${String(retries)}`);
  return { maxTurns, contextTokens, compressAt, silenceSeconds, retries };
}

function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`createClient: ${name} must be an integer of at least 1, got ${String(value)}`);
}
