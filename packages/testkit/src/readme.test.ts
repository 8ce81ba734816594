import { readFileSync } from 'node:fs';
import { staleRounds } from 'loopfuse/detectors';
import { expect, test } from 'vitest';
import { detectorLaws, session } from './index.js';

test('the example of the README is the one below', () => {
  const [own, readme] = ['readme.test.ts', '../README.md'].map((file) =>
    exampleIn(readFileSync(new URL(file, import.meta.url), 'utf8')),
  );
  expect(readme).toBe(own);
});

detectorLaws(() => staleRounds(), {
  stateBytes: 12_000, // the bound that the detector's README states
  loops: { 'a file read over and over': session().repeat(6, (s) => s.call('read_file', { path: 'a' }).result('one')) },
  work: { 'six files': session().repeat(6, (s, k) => s.call('read_file', { path: `${k}` }).result(`text ${k}`)) },
});

function exampleIn(text: string): string {
  const from = text.indexOf('\ndetectorLaws(() => staleRounds(), {');
  return text.slice(from, text.indexOf('\n});', from));
}
