import { setTimeout as wait } from 'node:timers/promises';
import { APICallError, RetryError } from 'ai';

/** A request that the provider could not accept. Reported before the pause after which it is sent again. */
export interface Retry {
  readonly error: APICallError;
  /** The length of the pause, in milliseconds. */
  readonly delay: number;
  /** The number of the next try, and the maximum number of tries. */
  readonly next: number;
  readonly tries: number;
}

export interface RetryOptions {
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  readonly onRetry: (retry: Retry) => void;
}

/** Retries a request as long as the provider says that it may succeed later. Rejects as the SDK does. */
export async function withRetries<Value>(
  request: () => PromiseLike<Value>,
  { retries, signal, onRetry }: RetryOptions,
): Promise<Value> {
  const errors: unknown[] = [];
  for (;;) {
    try {
      return await request();
    } catch (error) {
      errors.push(error);
      if (signal?.aborted || !isPassing(error) || errors.length > retries) throw asOne(errors, error);
      const delay = pauseAfter(error, errors.length);
      onRetry({ error, delay, next: errors.length + 1, tries: retries + 1 });
      await wait(delay, undefined, signal === undefined ? {} : { signal });
    }
  }
}

function isPassing(error: unknown): error is APICallError {
  return APICallError.isInstance(error) && error.isRetryable;
}

function asOne(errors: readonly unknown[], last: unknown): unknown {
  if (errors.length === 1) return last;
  const reason = isPassing(last) ? 'maxRetriesExceeded' : 'errorNotRetryable';
  return new RetryError({ message: `Failed after ${errors.length} tries`, reason, errors: [...errors] });
}

const firstPause = 2000;
const longestPause = 60_000;

/** Twice as long each time, unless the provider asks for a reasonable pause. */
function pauseAfter({ responseHeaders = {} }: APICallError, tries: number): number {
  const usual = firstPause * 2 ** (tries - 1);
  const asked = askedFor(responseHeaders);
  return asked >= 0 && (asked < longestPause || asked < usual) ? asked : usual;
}

/** What the headers of the answer ask for, in milliseconds; NaN where they do not. */
function askedFor(headers: Readonly<Record<string, string>>): number {
  const exactly = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (!Number.isNaN(exactly)) return exactly;
  const after = headers['retry-after'] ?? '';
  const seconds = Number.parseFloat(after);
  return Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000;
}
