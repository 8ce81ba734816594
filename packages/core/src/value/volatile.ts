import { mostWords } from './phrase.js';
import { wordHash } from './words.js';

/**
 * Marks in a short text that change from call to call and mean nothing: ids, points in time, temporary names. Each is
 * replaced by a sign, so that texts that differ in nothing else become equal.
 */
export function maskVolatile(text: string): string {
  return text
    .replace(uuid, '#uuid')
    .replace(pointInTime, '#time')
    .replace(temporaryName, '$1#tmp')
    .replace(epoch, '#time');
}

/**
 * Whether a text with so many digits and these words can hold anything to mask: an id, a point in time, or a name in a
 * temporary folder.
 */
export function isVolatile(text: string, digits: number, words: readonly number[]): boolean {
  if (digits >= 8) return true;
  if (words.length < mostWords) return words.includes(tmp) || words.includes(variable) || words.includes(temp);
  return text.includes('/tmp/') || text.includes('/var/') || text.includes('\\Temp');
}

const tmp = wordHash('tmp');
const variable = wordHash('var');
const temp = wordHash('temp');

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const pointInTime = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** A name under a temporary folder with a random part: a digit with a letter after it, as mktemp and its kin make them. */
const temporaryName =
  /((?:\/tmp|\/var\/folders(?:\/[^\s/'"]+){2}|\/var\/tmp|\\Temp)[\\/])(?=[A-Za-z0-9_-]*\d[A-Za-z])[A-Za-z0-9_-]{6,}/g;
/** Seconds or milliseconds since 1970, from 2001 on. */
const epoch = /\b1\d{9}(?:\d{3})?\b/g;
