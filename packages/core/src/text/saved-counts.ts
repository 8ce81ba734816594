/** The saved values of the fields of `fresh`, all whole numbers. Throws a `TypeError` if one is missing or wrong. */
export function countsOf<Counts extends { [name: string]: number }>(fresh: Counts, saved: object): Counts {
  const counts = { ...fresh };
  for (const name in fresh) {
    const value = (saved as Record<string, unknown>)[name];
    if (!Number.isSafeInteger(value))
      throw new TypeError(`the saved "${name}" is not a whole number: ${String(value)}`);
    counts[name] = value as Counts[typeof name];
  }
  return counts;
}
