import { wordHash } from '../value/words.js';

/**
 * Words that may mean something in a result. The scan that fingerprints a result also looks each of its words up here,
 * so that the expressions that read errors, refusals, waits and acknowledgements run only where they can match.
 * Every word without which one of them cannot match must be listed.
 */
export const cue = { complaint: 1, person: 2, wait: 4, trivial: 8 } as const;

const words: readonly (readonly [number, string])[] = [
  [
    cue.complaint,
    'error errors exception exceptions fail failed failure failures fails fatal panic cannot can couldn could unable not no invalid illegal unexpected undefined unknown unrecognized unrecognised denied forbidden unauthorized unauthorised refused rejected missing must does doesn unsupported already mismatch traceback exit exited bash sh zsh dash ksh introduced replacement verbatim returned returning sqlstate ts e f string',
  ],
  [cue.person, 'user permission sibling skipped executed'],
  [
    cue.wait,
    'preparing output still progress running pending queued processing starting waiting building scheduled active deploying ready finished done complete completed available containercreating',
  ],
  [
    cue.trivial,
    'command exit code exited ok okay done success successful successfully true false null none undefined yes no output empty nothing updated created modified saved written deleted applied recorded date clean issues passed been',
  ],
];

const size = 4096;
const table = new Uint8Array(size);
for (const [bit, list] of words) for (const word of list.split(' ')) table[slotOf(word)]! |= bit;

/** What the word with this hash may mean. */
export function cuesOf(hash: number): number {
  return table[(hash ^ (hash >>> 15)) & (size - 1)]!;
}

function slotOf(word: string): number {
  const hash = wordHash(word);
  return (hash ^ (hash >>> 15)) & (size - 1);
}
