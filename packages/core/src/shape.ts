/*
 * What is read back from a snapshot, or comes from a policy, is checked against an example: every field of the example
 * must be there with the same type, and every item of a list must be like the first item of the example's list. What an
 * example does not show (fields that are null, items of an empty list, other keys) is not checked. If an example would
 * show too little, a check function takes its place.
 */

/** Says what is wrong with a value, in words; `undefined` if nothing is wrong. */
export type Check = (value: unknown, where: string) => string | undefined;

/** What is wrong with a value that should look like an example, in words; `undefined` if nothing is wrong. */
export function problemIn(like: unknown, value: unknown, where: string): string | undefined {
  if (typeof like === 'function') return (like as Check)(value, where);
  if (like === null || like === undefined) return undefined;
  if (typeOf(value) !== typeOf(like)) return problem(where, `of type ${typeOf(like)}`, value);
  if (typeof like !== 'object') return undefined;
  const isList = Array.isArray(like);
  for (const key of Object.keys(isList ? (value as unknown[]) : like)) {
    const found = problemIn(
      (like as { [key: string]: unknown })[isList ? 0 : key],
      (value as { [key: string]: unknown })[key],
      isList ? `${where}[${key}]` : `${where}.${key}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value, if it looks like the example. Throws a `TypeError` that says where it does not. */
export function checked<Example>(like: Example, value: unknown, where: string): Example {
  const found = problemIn(like, value, where);
  if (found !== undefined) throw new TypeError(found);
  return value as Example;
}

/** A check for what an example cannot show. */
export function only(wanted: string, isRight: (value: unknown) => boolean): Check {
  return (value, where) => (isRight(value) ? undefined : problem(where, wanted, value));
}

export const nonNegative = only(
  'a non-negative integer',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

export const aFunction = only('a function', (value) => typeof value === 'function');

/** A check for a value that may be left out. */
export function optional(like: unknown): Check {
  return (value, where) => (value === undefined ? undefined : problemIn(like, value, where));
}

export function oneOf(names: readonly string[]): Check {
  return only(names.join(' or '), (value) => (names as readonly unknown[]).includes(value));
}

function problem(where: string, wanted: string, value: unknown): string {
  return `${where} must be ${wanted}, got ${quoted(value)}`;
}

/** Any value as an error message shows it, cut short. */
export function quoted(value: unknown): string {
  if (typeof value === 'number') return String(value); // JSON has no NaN
  try {
    return (JSON.stringify(value) ?? (value === undefined ? 'undefined' : `a ${typeof value}`)).slice(0, 100);
  } catch {
    return `a value of type ${typeof value} that is no JSON`;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? 'no number' : typeof value;
}
