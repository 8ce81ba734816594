import fc from 'fast-check';
import type { Step } from 'loopfuse';
import { expect, test } from 'vitest';
import { createNovelty, slidingPercent } from './novelty.js';

function step(given: Partial<Step>): Step {
  return {
    type: 'step',
    seq: 1,
    callSeq: 0,
    tool: 'read',
    effect: 'read',
    shell: false,
    call: 1,
    skeleton: 1,
    sketch: [0, 0, 0, 0],
    target: 0,
    status: 'ok',
    outcome: 1,
    exact: 1,
    said: [0, 0, 0, 0],
    numbers: [0, 0, 0, 0],
    letters: 8,
    trivial: false,
    size: 10,
    error: undefined,
    refused: false,
    mutated: false,
    batched: false,
    thought: 0,
    remark: 0,
    label: '',
    times: undefined,
    ...given,
  };
}

test('the same call with the same result is new once, then never again', () => {
  const novelty = createNovelty();
  expect(novelty.step(step({}))).toEqual({ fresh: 1, progress: true });
  for (let k = 0; k < 5; k++) expect(novelty.step(step({}))).toEqual({ fresh: 0, progress: false });
});

test('the same call with another result is half new, and progress', () => {
  const novelty = createNovelty();
  novelty.step(step({}));
  expect(novelty.step(step({ outcome: 2 }))).toEqual({ fresh: 0.5, progress: true });
});

test('another way to the same failure is half new, and no progress', () => {
  const novelty = createNovelty();
  const error = { core: 'not found', line: 7, bare: false, infrastructure: false };
  novelty.step(step({ status: 'failed', error, outcome: 5 }));
  expect(novelty.step(step({ call: 2, status: 'failed', error, outcome: 6 }))).toEqual({ fresh: 0.5, progress: false });
});

test('an edit is progress though its result proves nothing; the same edit again is not', () => {
  const novelty = createNovelty();
  const edit = step({ effect: 'write', mutated: true, trivial: true });
  expect(novelty.step(edit)).toEqual({ fresh: 1, progress: true });
  expect(novelty.step(edit)).toEqual({ fresh: 0, progress: false });
});

test('words are new once; counters, letter case and white space make nothing new', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 4, maxLength: 30 }), (words) => {
      const novelty = createNovelty();
      novelty.text(`${words.join(' ')} 17`);
      // The first two triples reach back into what was said before.
      expect(novelty.text(`${words.join('  ').toUpperCase()} 18`)).toBeLessThanOrEqual(2 / words.length);
    }),
  );
  expect(createNovelty().text('something never said')).toBe(1);
  expect(createNovelty().text('… !')).toBe(1);
});

test('what slides is a mean: between 0 and 100, 100 where all is new, 0 a window after nothing is', () => {
  const weighed = fc.record({
    fresh: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(weighed), fc.integer({ min: 1, max: 12 }), (values, window) => {
      const stale = values.concat(Array.from({ length: window }, () => ({ fresh: 0, weight: 1 })));
      const percents = slidingPercent(stale, window);
      expect(percents.length).toBe(stale.length);
      for (const percent of percents) {
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
      }
      expect(percents.at(-1)).toBe(0);
      const fresh = values.map(({ weight }) => ({ fresh: 1, weight }));
      expect(slidingPercent(fresh, window).every((percent) => percent === 100)).toBe(true);
    }),
  );
});
