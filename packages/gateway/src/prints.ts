import type { Message } from '@loopfuse/wire';

/**
 * Fingerprints of all beginnings of a history: the k-th is that of its first k messages. Only the content of a message
 * counts, not how a client marks it for the provider's cache.
 */
export function prefixPrints(messages: readonly Message[]): readonly number[] {
  const prints = [0];
  let print = 0;
  for (const { role, text, calls, results } of messages) {
    print = mixed(mixed(print, role), text);
    for (const { id, tool, input } of calls) print = mixed(mixed(mixed(print, id), tool), JSON.stringify(input));
    for (const { id, text: outcome } of results) print = mixed(mixed(print, id), outcome);
    prints.push(print);
  }
  return prints;
}

/** A system prompt is recognised by its letters near the beginning. Dates, counters and checksums in it change. */
export function systemPrint(system: string): number {
  let letters = '';
  for (let k = 0; k < system.length && letters.length < 400; k++) {
    const code = system.charCodeAt(k) | 32;
    if (code >= 97 && code <= 122) letters += system[k];
  }
  return mixed(0, letters.replace(/^.*?(?=you ?are)/i, ''));
}

/** FNV-1a over UTF-16 units with a second lane, 53 bits. */
function mixed(seed: number, text: string): number {
  let low = (seed >>> 0) ^ 0x811c9dc5;
  let high = Math.floor(seed / 2 ** 32) ^ 0x1234567;
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  low = Math.imul(low ^ text.length, 0x01000193);
  return (low >>> 0) + ((high ^ (low >>> 15)) & 0x1fffff) * 2 ** 32;
}
