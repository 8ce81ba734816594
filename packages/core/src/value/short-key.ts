import { fingerprint } from './fingerprint.js';

/**
 * An id or a name as it is kept: whole, or its fingerprint where a host makes very long ones, so that state stays small.
 * Anything that is no text stays as it is: whoever reads it reports it.
 */
export function shortKey(name: string, longest = 120): string {
  return typeof name === 'string' && name.length > longest ? `#${fingerprint(name)}` : name;
}
