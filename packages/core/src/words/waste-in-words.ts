import type { Waste } from '../finding.js';
import { counted, grouped } from './numbers.js';

/** "12 calls and 4,500 tokens"; empty when nothing was counted. */
export function wasteInWords({ calls, characters, tokens }: Waste): string {
  const parts: string[] = [];
  if (calls > 0) parts.push(counted(calls, 'call'));
  if (tokens > 0) parts.push(`${grouped(tokens)} tokens`);
  else if (characters > 0 && calls === 0) parts.push(`${grouped(characters)} characters`);
  return parts.join(' and ');
}
