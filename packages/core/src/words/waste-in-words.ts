import type { Waste } from '../finding.js';
import { grouped } from './numbers.js';

/**
 * What a loop has cost: "4,500 tokens", or characters if a model repeats its words and the tokens are not known; empty
 * if neither is known. It gives no number of calls: the waste leaves out the first call and counts refused ones, so its
 * number would contradict the explanation, which says how often something repeated.
 */
export function wasteInWords({ calls, characters, tokens }: Waste): string {
  if (tokens > 0) return `${grouped(tokens)} tokens`;
  return characters > 0 && calls === 0 ? `${grouped(characters)} characters` : '';
}
