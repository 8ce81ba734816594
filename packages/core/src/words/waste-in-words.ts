import type { Waste } from '../finding.js';
import { grouped } from './numbers.js';

/**
 * What a loop has taken: "4,500 tokens", or characters where a model repeats its words and tokens are not known; empty
 * where neither is. How often something repeated is said by the explanation alone: the calls of the waste leave out the
 * first one and count those that were refused, and would contradict it.
 */
export function wasteInWords({ calls, characters, tokens }: Waste): string {
  if (tokens > 0) return `${grouped(tokens)} tokens`;
  return characters > 0 && calls === 0 ? `${grouped(characters)} characters` : '';
}
