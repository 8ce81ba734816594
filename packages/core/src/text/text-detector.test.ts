import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chanting } from '../detectors/chanting/index.js';
import { lowNovelty } from '../detectors/low-novelty/index.js';
import type { Finding } from '../finding.js';
import { createWatch } from '../watch/watch.js';

const units = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,8}[.!] $/),
  fc.stringMatching(/^[A-Za-z0-9 .,\n]{1,40}$/),
  fc.constantFrom('我需要再检查一下这个文件。', '\n', '! ', 'again and again ', 'step 1 of 2. '),
);
const texts = fc
  .array(fc.tuple(units, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));

/** What is found in a text that comes in deltas of so many characters, where short messages may be left unread or not. */
function findings(text: string, size: number, patience: number, unread: boolean): Finding[] {
  const detectors = [chanting({ patience }), lowNovelty({ patience })];
  const watch = createWatch({ detectors: unread ? detectors : detectors.map((one) => ({ ...one, quiet: 0 })) });
  const found: Finding[] = [];
  for (let k = 0; k < text.length; k += size) {
    const verdict = watch.observe({ type: 'text', text: text.slice(k, k + size) });
    if (verdict.status !== 'clear') found.push(...verdict.findings);
  }
  return found;
}

describe('a text detector', () => {
  test('misses nothing by leaving short messages unread', () => {
    const patience = fc.constantFrom(0.1, 0.25, 0.5, 1, 2);
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 80 }), patience, (text, size, patient) => {
        expect(findings(text, size, patient, true)).toEqual(findings(text, size, patient, false));
      }),
      { numRuns: 60, examples: [[`${'A, .0,\n'.repeat(37)}${'again and again '.repeat(32)}`, 1, 2]] },
    );
  });
});
