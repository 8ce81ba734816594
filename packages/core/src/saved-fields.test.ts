import { describe, expect, test } from 'vitest';
import { loadCircuit } from './circuit.js';
import { type Episode, loadEpisodes } from './episode.js';
import type { Json } from './event.js';
import type { Finding } from './finding.js';
import { loadTally, startTally, type Tally } from './tally.js';

// What a snapshot holds is read back only where every field is there and of its kind: a field that is not looked at would
// be undefined, or a text, in the midst of the sums of a session that goes on elsewhere.

const waste = { calls: 3, characters: 0, tokens: 0 };
const finding: Finding = {
  detector: 'stale-rounds',
  kind: 'cycle',
  status: 'looping',
  seq: 9,
  onset: 3,
  episode: '1',
  again: 0,
  confidence: 1,
  evidence: null,
  tools: ['read_file'],
  calls: [1],
  waste,
};
const episode: Episode = { id: '1', onset: 3, last: 9, looping: true, again: 2, tools: ['read_file'], calls: [1] };
// Where the next mark is due follows from the marks, and is not read.
const { due: _, ...tally }: Tally = {
  ...startTally(),
  calls: 2,
  characters: 5,
  tokens: 7,
  last: 4,
  marks: [0, 0, 0, 0],
};
const findings = [finding];
const stop = { type: 'stop', reason: 'It loops.', findings };
const ask = { type: 'ask', question: { message: 'It loops.', choices: ['stop'] }, findings };

const kinds: readonly { readonly name: string; readonly saved: object; load(saved: unknown): unknown }[] = [
  { name: 'an episode', saved: episode, load: (saved) => loadEpisodes([saved]) },
  { name: 'a tally', saved: tally, load: loadTally },
  { name: 'a closed circuit', saved: { state: 'closed', trips: 1 }, load: loadCircuit },
  {
    name: 'a circuit on probation',
    saved: { state: 'probation', trips: 1, clean: 2, because: findings },
    load: loadCircuit,
  },
  { name: 'a circuit that has stopped', saved: { state: 'open', trips: 1, decision: stop }, load: loadCircuit },
  { name: 'a circuit that asks', saved: { state: 'open', trips: 1, decision: ask }, load: loadCircuit },
];

/** Evidence is whatever its detector keeps. */
const unread = ['evidence'];

describe.each(kinds)('$name', ({ saved, load }) => {
  const copy = () => JSON.parse(JSON.stringify(saved)) as Json;

  test('is read back as it is', () => {
    expect(() => load(copy())).not.toThrow();
  });

  test.each(placesIn(saved).map((path) => ({ path, name: path.join('.') })))(
    'is refused without $name, and with something else in its place',
    ({ path }) => {
      for (const wrong of [undefined, null, Number.NaN, {}, 'nothing of that name', 0.5, -1, true]) {
        const broken = copy();
        const before = put(broken, path, wrong);
        if (!isOfKind(before, wrong)) expect(() => load(broken), JSON.stringify(broken)).toThrow(TypeError);
      }
    },
  );
});

/** The path of every field and of every member of a list, at any depth. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !unread.includes(key))
    .flatMap(([key, inner]) => [[...path, key], ...placesIn(inner, [...path, key])]);
}

function put(root: Json, path: readonly string[], value: unknown): unknown {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root);
  const last = path.at(-1)!;
  const before = (holder as Record<string, unknown>)[last];
  (holder as Record<string, unknown>)[last] = value;
  return before;
}

/** Whether the wrong value is of the right kind after all: any number for a number, any text for a text. */
function isOfKind(before: unknown, wrong: unknown): boolean {
  return typeof before === typeof wrong && before !== null && wrong !== null && !Number.isNaN(wrong);
}
