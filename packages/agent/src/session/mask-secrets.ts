import { type Environment, isSecret } from '../tools/run-shell-command/environment.js';

/** Shorter values are words that occur by chance. */
const shortest = 8;

/** A function that takes known secrets out of a text: the keys given, and what looks like one in the environment. */
export function secretMask(keys: readonly (string | undefined)[], environment: Environment): (text: string) => string {
  const values = new Set<string>();
  for (const key of keys) if (key !== undefined && key.length >= shortest) values.add(key);
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && value.length >= shortest && isSecret(name, value)) values.add(value);
  // The longest first, or what is left of a longer one would stay. In JSON a value stands escaped.
  const known = [...values].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const longestFirst = [...new Set(known)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}
