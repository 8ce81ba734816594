import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, startFoldedText } from './folded-text.js';

function hashOf(...pieces: string[]): number {
  const message = startFoldedText();
  for (const piece of pieces) foldText(message, piece);
  return message.hash;
}

test('case, white space and digits do not matter', () => {
  expect(hashOf('  Step 12\tof 300:\r\n\r\n RETRY')).toBe(hashOf('step 7 of 41: retry'));
});

test('anything else does, far into a long message too', () => {
  const long = 'word after word '.repeat(400);
  expect(hashOf('retry')).not.toBe(hashOf('retries'));
  expect(hashOf(`${long}and so it ended well for all of them`)).not.toBe(
    hashOf(`${long}but then it ended badly for one`),
  );
});

test('the cuts do not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 })), (pieces) => {
      expect(hashOf(...pieces)).toBe(hashOf(pieces.join('')));
    }),
  );
});
