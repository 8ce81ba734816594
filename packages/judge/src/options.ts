/** Throws unless `value` is an integer from `least` to `most`. The error quotes the bad value. */
export function requireInteger(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`${name} must be an integer ${range}, got ${String(value)}`);
}

/** Throws unless `value` is a number from `least` to `most`. */
export function requireNumber(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most))
    throw new RangeError(`${name} must be a number from ${least} to ${most}, got ${String(value)}`);
}
