import { fingerprint } from './fingerprint.js';

/**
 * An id or a name as it is kept: whole or, if a host makes very long ones, as its fingerprint, so that state stays
 * small. Anything that is not a string stays as it is: the code that reads it reports it.
 */
export function shortKey(name: string, longest = 120): string {
  return typeof name === 'string' && name.length > longest ? `#${fingerprint(name)}` : name;
}
