/**
 * Marks in a short text that change from call to call and mean nothing: ids and points in time. Each is replaced by a
 * sign, so that texts that differ in nothing else become equal.
 */
export function maskVolatile(text: string): string {
  return text.replace(uuid, '#uuid').replace(pointInTime, '#time').replace(epoch, '#time');
}

/** A text with fewer digits holds nothing to mask. */
export const fewestDigits = 8;

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const pointInTime = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** Seconds or milliseconds since 1970, from 2001 on. */
const epoch = /\b1\d{9}(?:\d{3})?\b/g;
