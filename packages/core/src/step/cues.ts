import { wordHash } from '../value/words.js';

/**
 * Words that may mean something in a result. The scan that fingerprints a result also looks up each of its words here,
 * so that the expressions that read errors, refusals, waits and acknowledgements run only when they can match. Every
 * word that one of them needs to match must be listed.
 */
export const cue = {
  /** `complaint` names an error. `doubt` complains; that proves something only in a short text or after an edit. */
  complaint: 1,
  doubt: 64,
  /** Names an error when a number follows directly: E0308. */
  code: 128,
  person: 2,
  trivial: 8,
  wait: 4,
  /** Words that mean a wait only together, one directly after the other: "still running", "not ready". */
  before: 16,
  after: 32,
} as const;

const words: readonly (readonly [number, string])[] = [
  [
    cue.complaint,
    'usage err error errors exception fail failed failure fatal panic traceback exit exited exitcode returned',
  ],
  [
    cue.doubt,
    'fails not cannot can couldn doesn unable no invalid unexpected undefined unknown denied refused rejected missing already timed timeout happens',
  ],
  [cue.code, 'e f w ts'],
  [cue.person, 'user sibling skipped executed'],
  [cue.wait, 'pending queued containercreating'],
  [cue.before, 'still status state phase is are process not yet new in waiting'],
  [
    cue.after,
    'running processing starting building working going scheduled active deploying waiting ready finished done complete available output messages events progress for',
  ],
  [
    cue.trivial,
    'command ok okay done success successful successfully true false null none undefined yes no output empty nothing updated created modified saved written deleted applied recorded date clean issues vulnerabilities changes passed been exit exited acknowledged results matches hits items records rows documents entries',
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
