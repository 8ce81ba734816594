import type { Json } from 'loopfuse';
import { nestsTooDeeply } from './nesting.js';

/**
 * Several JSON objects on one line, as two writers leave them that append to a file at the same time. Undefined if the
 * line does not begin with a whole object. `rest` says whether anything follows the last whole object.
 */
export function gluedObjects(text: string): { readonly values: readonly Json[]; readonly rest: boolean } | undefined {
  const values: Json[] = [];
  let from = 0;
  while (from < text.length) {
    const to = endOfObject(text, from);
    if (to === undefined) break;
    const one = text.slice(from, to);
    if (nestsTooDeeply(one)) break;
    try {
      values.push(JSON.parse(one) as Json);
    } catch {
      break;
    }
    from = to;
  }
  return values.length === 0 ? undefined : { values, rest: text.slice(from).trim() !== '' };
}

function endOfObject(text: string, from: number): number | undefined {
  let at = from;
  while (text.charCodeAt(at) <= 32) at++;
  if (text[at] !== '{') return undefined;
  let depth = 0;
  let inString = false;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) {
      if (--depth === 0) return at + 1;
    }
  }
  return undefined;
}
