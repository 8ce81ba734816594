import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { expect, test } from 'vitest';
import { opinion } from './opinion.js';

detectorLaws(() => opinion(), {
  loops: { 'a judge that is sure': session().opinion(0.95, 'It has read the same three files five times.') },
  work: { 'a judge that is not': session().opinion(0.2, 'Each edit is of another function.').opinion(Number.NaN, '') },
  stateBytes: 10,
});

test('doubt is a suspicion, certainty a loop', () => {
  const watch = createWatch({ detectors: [opinion()] });
  const statuses = [0.5, 0.7, 0.89, 0.9, 1, 20].map(
    (confidence) => watch.observe({ type: 'opinion', by: 'judge', confidence, analysis: 'x' }).status,
  );
  expect(statuses).toEqual(['clear', 'suspect', 'suspect', 'looping', 'looping', 'clear']);
});
