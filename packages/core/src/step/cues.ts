import { wordHash } from '../value/words.js';

/**
 * Words that may mean something in a result. The scan that fingerprints a result also looks each of its words up here,
 * so that the expressions that read errors, refusals, waits and acknowledgements run only where they can match.
 * Every word without which one of them cannot match must be listed.
 */
export const cue = {
  complaint: 1,
  person: 2,
  wait: 4,
  trivial: 8,
  /** Words that speak of a wait only together: "not ready", "no new output". */
  end: 16,
  not: 32,
} as const;

const words: readonly (readonly [number, string])[] = [
  [
    cue.complaint,
    'e f w ts error errors exception fail failed failure fails fatal panic traceback exit exited exitcode returned not cannot can couldn doesn unable no invalid unexpected undefined unknown denied refused rejected missing already timed timeout',
  ],
  [cue.person, 'user permission sibling skipped executed'],
  [
    cue.wait,
    'progress running pending queued processing starting waiting building working going scheduled active deploying containercreating',
  ],
  [cue.end, 'output ready finished done complete completed available'],
  [cue.not, 'not new'],
  [
    cue.trivial,
    'command ok okay done success successful successfully true false null none undefined yes no output empty nothing updated created modified saved written deleted applied recorded date clean issues passed been',
  ],
];

// Open addressing: a word lies in its slot, or in the next that was free. A slot without a meaning is empty.
const size = 4096;
const hashes = new Int32Array(size);
const meanings = new Uint8Array(size);
for (const [bit, list] of words)
  for (const word of list.split(' ')) {
    const hash = wordHash(word);
    let slot = slotOf(hash);
    while (meanings[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (size - 1);
    hashes[slot] = hash;
    meanings[slot] = meanings[slot]! | bit;
  }

/** What the word with this hash may mean. */
export function cuesOf(hash: number): number {
  for (let slot = slotOf(hash); meanings[slot] !== 0; slot = (slot + 1) & (size - 1))
    if (hashes[slot] === hash) return meanings[slot]!;
  return 0;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (size - 1);
}
