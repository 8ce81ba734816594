import { poisoned, poisons, sessions } from '@loopfuse/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent, Json } from './event.js';
import type { Waste } from './finding.js';
import { count, loadTally, startTally, type Tally, wasteSince } from './tally.js';

const exactEvents = 64;

function tallyOf(events: readonly AgentEvent[]): Tally {
  const tally = startTally();
  events.forEach((event, seq) => {
    count(tally, event, seq);
  });
  return tally;
}

/** What was spent from `onset` on, counted one by one. */
function spentSince(events: readonly AgentEvent[], onset: number): Waste {
  const waste = { calls: 0, characters: 0, tokens: 0 };
  for (const event of events.slice(onset)) {
    if (event.type === 'text' || event.type === 'reasoning') waste.characters += event.text.length;
    else if (event.type === 'tool-call') waste.calls++;
    else if (event.type === 'usage') waste.tokens += event.inputTokens + event.outputTokens;
  }
  return waste;
}

const isDelta = ({ type }: AgentEvent): boolean => type === 'text' || type === 'reasoning';

test('what was spent since one of the latest events other than deltas is told exactly', () => {
  fc.assert(
    fc.property(sessions(), (events) => {
      const tally = tallyOf(events);
      const latest = events.flatMap((event, seq) => (isDelta(event) ? [] : [seq])).slice(-exactEvents / 2);
      for (const onset of latest) expect(wasteSince(tally, onset)).toEqual(spentSince(events, onset));
    }),
  );
});

test('since a delta, calls and tokens are told exactly and characters to within 256', () => {
  fc.assert(
    fc.property(sessions(), (events) => {
      const tally = tallyOf(events.slice(-exactEvents));
      events.slice(-exactEvents).forEach((event, onset, recent) => {
        if (!isDelta(event)) return;
        const exact = spentSince(recent, onset);
        const told = wasteSince(tally, onset);
        expect({ ...told, characters: 0 }).toEqual({ ...exact, characters: 0 });
        expect(told.characters - exact.characters).toBeGreaterThanOrEqual(0);
        expect(told.characters - exact.characters).toBeLessThan(256);
      });
    }),
  );
});

test('where a loop began is told exactly, however long it goes on', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.integer({ min: 1, max: 5000 }), (before, rounds) => {
      const tally = startTally();
      const kept = [{ onset: before }];
      for (let seq = 0; seq < before + rounds; seq++)
        count(tally, { type: 'tool-call', id: `${seq}`, tool: 'ls', input: {} }, seq, seq < before + 3 ? [] : kept);
      expect(wasteSince(tally, before).calls).toBe(rounds);
      expect(tally.marks.length / 4).toBeLessThanOrEqual(128);
    }),
  );
});

test('however long ago the onset is, no less is told than was spent, and the marks stay few', () => {
  const events = Array.from(
    { length: 20_000 },
    (_, k): AgentEvent =>
      k % 2 === 0 ? { type: 'tool-call', id: `${k}`, tool: 'read', input: {} } : { type: 'text', text: 'ten chars.' },
  );
  const tally = tallyOf(events);
  expect(tally.marks.length).toBeLessThanOrEqual(512);
  expect(wasteSince(tally, 0)).toEqual(spentSince(events, 0));
  for (let onset = 0; onset < events.length; onset += 997) {
    const exact = spentSince(events, onset);
    const told = wasteSince(tally, onset);
    expect(told.calls).toBeGreaterThanOrEqual(exact.calls);
    expect(told.characters).toBeGreaterThanOrEqual(exact.characters);
  }
});

test('a usage that cannot be is not counted', () => {
  const usage = (inputTokens: number, outputTokens: number): AgentEvent => ({
    type: 'usage',
    inputTokens,
    outputTokens,
  });
  const tally = tallyOf([usage(5, 2), usage(Number.NaN, -3), usage(Number.POSITIVE_INFINITY, 1e300)]);
  expect(tally.tokens).toBe(7);
});

test('a tally read back from JSON is the same; what is broken is refused or is a tally still', () => {
  fc.assert(
    fc.property(sessions(), poisons(), (events, poison) => {
      const tally = tallyOf(events);
      const saved = JSON.parse(JSON.stringify(tally)) as Json;
      expect(loadTally(saved)).toEqual(tally);
      try {
        const read = loadTally(poisoned(saved, poison));
        count(read, { type: 'turn-end' }, events.length);
        expect(Object.values(wasteSince(read, 0)).every(Number.isFinite)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
  );
});

test.each<[string, Json]>([
  ['tally must be of type object, got null', null],
  ['tally.calls must be a number of at least 0, got -1', { calls: -1, characters: 0, tokens: 0, last: 0, marks: [] }],
  ['tally.last must be of type number, got "0"', { calls: 0, characters: 0, tokens: 0, last: '0', marks: [] }],
  ['tally.marks must be at most 128 marks', { calls: 0, characters: 0, tokens: 0, last: 0, marks: [1, 2, 3] }],
  ['tally.marks[1] must be a number', { calls: 0, characters: 0, tokens: 0, last: 0, marks: [1, null, 3, 4] }],
])('%s: such a tally is refused', (message, saved) => {
  expect(() => loadTally(saved)).toThrow(message);
});
