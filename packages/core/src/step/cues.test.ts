import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cue } from './cues.js';
import { mayFail, readError, refusedByPerson } from './error.js';
import { isWaiting, outcomeOf } from './outcome.js';

const effects = ['read', 'write', 'run', 'poll', 'note'] as const;

/** Whatever the expressions look for, in pieces, so that chance puts together what they find and what they nearly find. */
const words =
  'error errors Error ERROR TypeError TYPEERROR ValueException exception fatal FATAL panic failed failure fails cannot can\'t could not couldn\'t unable to found no such exist doesn\'t does invalid illegal unexpected undefined unknown unrecognised denied forbidden unauthorized allowed permitted refused rejected missing must be add up available unsupported already exists mismatch traceback timed out timeout Traceback (most SQLSTATE E999 F401 TS2304 exit Exit code Code status: exited with returned non-zero bash: /bin/sh: zsh: NOT been applied introduced new syntax replacement was performed String replace did appear verbatim problem problems failing failures user User want rejected declined cancelled interrupted chose by permission use tool sibling call skipped executed still running in progress pending queued output Preparing state phase is are not yet ready finished done complete waiting for RUNNING ContainerCreating building deploying process Process no changes replacements modifications edits without unchanged connection request read gateway 1 0 2 15 "exit_code": "exitCode":'.split(
    ' ',
  );
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<tool_use_error>', '\u001b[31m', 'src/a.ts:1:2:', 'file', 'é', '→', '(', '-'),
  },
);
/** A word that touches another, or a sign beyond ASCII, is another word; so here signs of ASCII stand between them. */
const said = fc
  .array(fc.tuple(piece, fc.constantFrom('', '', ':', '(', '!', ']', "'", '.'), fc.constantFrom(' ', ' ', '\n')), {
    maxLength: 120,
    size: 'max',
  })
  .map((pieces) => pieces.flat().join(''));

describe('what the words of a result rule out is not there', () => {
  test('no error is missed', () => {
    fc.assert(
      fc.property(said, fc.constantFrom(...effects), (text, effect) => {
        const { cues } = outcomeOf(text);
        const found = mayFail(text, cues, effect) ? readError(text, undefined, effect) : undefined;
        expect(found).toEqual(readError(text, undefined, effect));
      }),
      { numRuns: 3000 },
    );
  });

  test('no refusal and no wait is missed', () => {
    fc.assert(
      fc.property(said, (text) => {
        const { cues } = outcomeOf(text);
        if (refusedByPerson(text)) expect(cues & cue.person).not.toBe(0);
        if (isWaiting(text)) expect(cues & cue.wait).not.toBe(0);
      }),
      { numRuns: 3000 },
    );
  });
});
