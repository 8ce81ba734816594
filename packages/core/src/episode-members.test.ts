import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sighting } from './detector.js';
import { type Episode, endRepeats, episodeOf, isRepeat } from './episode.js';

const most = 16;

const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
/** What is seen of one loop of calls, from its beginning to its end. */
const sightings = fc.array(
  fc.record({
    status: fc.constantFrom('suspect' as const, 'looping' as const),
    tools: fc.array(letters, { minLength: 1, maxLength: 20 }),
    calls: fc.array(fc.nat(30), { maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function file(drawn: readonly Partial<Sighting>[], episodes: Episode[] = []): Episode[] {
  const seen: Sighting = { kind: 'cycle', status: 'looping', onset: 4, confidence: 1, evidence: null };
  drawn.forEach((one, k) => {
    episodeOf(episodes, { ...seen, ...one }, 10 + k, () => `${k}`);
  });
  return episodes;
}

test('the tools of an episode are those of its first sighting and every other one seen since, once, as far as there is room', () => {
  fc.assert(
    fc.property(sightings, ([first, ...others]) => {
      const expected = first!.tools.slice(0, most);
      for (const tool of others.flatMap(({ tools }) => tools))
        if (!expected.includes(tool) && expected.length < most) expected.push(tool);
      expect(file([first!, ...others])[0]?.tools).toEqual(expected);
    }),
  );
});

test('a call repeats a loop where it is one of those last seen in it, the loop is certain, and nothing has changed since', () => {
  fc.assert(
    fc.property(sightings, fc.nat(30), fc.nat(30), (drawn, call, change) => {
      const episodes = file(drawn);
      const last = drawn.at(-1)!.calls.slice(0, most);
      const isCertain = drawn.some(({ status }) => status === 'looping');
      expect(isRepeat(episodes, call)).toBe(isCertain && last.includes(call));
      endRepeats(episodes, change);
      expect(isRepeat(episodes, call)).toBe(isCertain && last.includes(call) && last.includes(change));
    }),
  );
});

test('a change ends the repeats of every loop that it is no part of, and of no other', () => {
  const episodes = file([{ calls: [1, 2] }]);
  episodeOf(
    episodes,
    { ...episodes[0]!, kind: 'cycle', status: 'looping', onset: 20, confidence: 1, evidence: null, calls: [3] },
    30,
    () => 'later',
  );
  endRepeats(episodes, 2);
  expect([1, 2, 3].map((call) => isRepeat(episodes, call))).toEqual([true, true, false]);
});
