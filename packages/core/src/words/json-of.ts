/** A value with more values in it may be endless: hosts pass objects of their own. */
const mostValues = 100_000;

/**
 * The JSON of any value, with big integers as text; `undefined` if it has none: a function, a cycle, something that
 * throws when it is read or that is endless. Never throws.
 */
export function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  let left = mostValues;
  try {
    return JSON.stringify(value, (_key, inner: unknown) => {
      if (--left < 0) throw new RangeError('too many values');
      return typeof inner === 'bigint' ? String(inner) : inner;
    });
  } catch {
    return undefined;
  }
}
