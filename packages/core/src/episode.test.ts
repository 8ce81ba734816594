import { poisoned, poisons } from '@loopfuse/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sighting } from './detector.js';
import { type Episode, episodeOf as file, loadEpisodes } from './episode.js';
import type { Json } from './event.js';

function sighting(onset: number, more: Partial<Sighting> = {}): Sighting {
  return { kind: 'cycle', status: 'looping', onset, confidence: 1, evidence: null, tools: ['read'], ...more };
}

let named = 0;
const placeOf = (episodes: Episode[], seen: Sighting, seq: number) => file(episodes, seen, seq, () => `${++named}`);
const episodeOf = (...args: Parameters<typeof placeOf>) => placeOf(...args).again;

test('a loop that goes on is the same episode, counted on', () => {
  const episodes: Episode[] = [];
  expect([10, 12, 14, 16].map((seq) => episodeOf(episodes, sighting(4), seq))).toEqual([0, 1, 2, 3]);
  expect(episodes).toHaveLength(1);
});

test('what begins after the last sighting of an episode is a new one', () => {
  const episodes: Episode[] = [];
  episodeOf(episodes, sighting(4), 10);
  expect(episodeOf(episodes, sighting(10), 12)).toBe(1);
  expect(episodeOf(episodes, sighting(13), 20)).toBe(0);
  expect(episodes.map(({ onset }) => onset)).toEqual([4, 13]);
});

test('certainty after suspicion is news, suspicion after certainty is not', () => {
  const episodes: Episode[] = [];
  const suspect = sighting(4, { status: 'suspect' });
  expect(episodeOf(episodes, suspect, 10)).toBe(0);
  expect(episodeOf(episodes, suspect, 12)).toBe(1);
  expect(episodeOf(episodes, sighting(5), 14)).toBe(0);
  expect(episodeOf(episodes, suspect, 16)).toBe(1);
  expect(episodeOf(episodes, sighting(5), 18)).toBe(2);
});

test('a loop of calls and a chant at the same time are two episodes', () => {
  const episodes: Episode[] = [];
  expect(episodeOf(episodes, sighting(4), 10)).toBe(0);
  expect(episodeOf(episodes, sighting(5, { kind: 'chanting', tools: [] }), 11)).toBe(0);
  expect(episodeOf(episodes, sighting(4), 12)).toBe(1);
  expect(episodeOf(episodes, sighting(5, { kind: 'chanting', tools: [] }), 13)).toBe(1);
});

test('findings have the id of their episode, whichever detector saw it and however sure it was', () => {
  const episodes: Episode[] = [];
  const idOf = (...args: [onset: number, seq: number, more?: Partial<Sighting>]) =>
    placeOf(episodes, sighting(args[0], args[2]), args[1]).episode;
  const first = idOf(4, 10, { status: 'suspect' });
  expect(idOf(6, 12, { kind: 'same-outcome' })).toBe(first);
  const text = idOf(5, 13, { kind: 'chanting', tools: [] });
  expect(text).not.toBe(first);
  expect(idOf(4, 14)).toBe(first);
  expect([first, text]).not.toContain(idOf(20, 30));
});

test('of many episodes the latest are remembered', () => {
  const episodes: Episode[] = [];
  for (let k = 0; k < 40; k++) episodeOf(episodes, sighting(k * 10), k * 10 + 5);
  expect(episodes.map(({ onset }) => onset)).toEqual(Array.from({ length: 16 }, (_, k) => (24 + k) * 10));
  expect(episodeOf(episodes, sighting(391), 400)).toBe(1);
});

const sightings = fc.array(
  fc.record({
    onset: fc.nat(300),
    status: fc.constantFrom('suspect' as const, 'looping' as const),
    tools: fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { maxLength: 20 }),
    calls: fc.array(fc.nat(), { maxLength: 20 }),
  }),
  { maxLength: 60 },
);

test('in any order of sightings the episodes stay few and small, and go through JSON unchanged', () => {
  fc.assert(
    fc.property(sightings, poisons(), (drawn, poison) => {
      const episodes: Episode[] = [];
      drawn.forEach((one, k) => {
        const again = episodeOf(episodes, sighting(one.onset, one), 300 + k * 10);
        expect(again).toBeLessThanOrEqual(k);
      });
      expect(episodes.length).toBeLessThanOrEqual(16);
      for (const { tools, calls } of episodes) expect(Math.max(tools.length, calls.length)).toBeLessThanOrEqual(16);
      const saved = JSON.parse(JSON.stringify(episodes)) as Json;
      expect(new Set(episodes.map(({ id }) => id)).size).toBe(episodes.length);
      expect(loadEpisodes(saved)).toEqual(episodes);
      try {
        const read = loadEpisodes(poisoned(saved, poison));
        expect(Number.isInteger(episodeOf(read, sighting(3), 5000))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
  );
});

test.each([0.5, -1, 1e300])('a count of sightings that is none (%d), as in a broken snapshot, is refused', (again) => {
  const one = { id: '1', onset: 0, last: 0, looping: false, again, tools: [], calls: [] };
  expect(() => loadEpisodes([one])).toThrow(/again must be a non-negative integer/);
});

test('of too many episodes or members, as in a snapshot of somebody else, the bounds are kept', () => {
  const many = {
    id: '1',
    onset: 0,
    last: 0,
    looping: false,
    again: 0,
    tools: Array(20).fill('a'),
    calls: Array(20).fill(1),
  };
  const read = loadEpisodes(Array(20).fill(many));
  expect(read.length).toBe(16);
  expect([read[0]!.tools.length, read[0]!.calls.length]).toEqual([16, 16]);
  expect(() => loadEpisodes([{ ...many, tools: [7] }])).toThrow('episodes[0].tools[0] must be of type string, got 7');
});
