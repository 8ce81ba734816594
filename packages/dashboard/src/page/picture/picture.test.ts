import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoopSummary } from '../../report.js';
import type { Item } from '../../timeline.js';
import { bandsOf } from './bands.js';
import { hasTimes, itemAt, itemOfEvent, nextSpan, sceneOf } from './scene.js';
import { around, moved, showing, zoomed } from './stretch.js';

const items: fc.Arbitrary<readonly Item[]> = fc
  .array(
    fc.record(
      {
        type: fc.constantFrom(
          'prompt' as const,
          'says' as const,
          'call' as const,
          'gap' as const,
          'compaction' as const,
        ),
        tool: fc.integer({ min: 0, max: 14 }).map((k) => `tool ${k}`),
        lane: fc.constantFrom('sub'),
        at: fc.integer({ min: 0, max: 9999 }),
        same: fc.nat({ max: 5 }),
        outcome: fc.nat({ max: 3 }),
        progress: fc.nat({ max: 1 }),
      },
      { requiredKeys: ['type', 'progress'] },
    ),
    { maxLength: 60 },
  )
  .map((drafts) =>
    drafts.map((draft, k) => ({ ...draft, seq: 2 * k, last: 2 * k + 1, novelty: 50, tokens: 0, calls: 0, text: '' })),
  );
const loop: fc.Arbitrary<LoopSummary> = fc.tuple(fc.nat({ max: 130 }), fc.nat({ max: 40 }), fc.boolean()).map(
  ([onset, length, inLane]): LoopSummary => ({
    kind: 'cycle',
    status: 'looping',
    detector: 'd',
    onset,
    seq: onset + Math.floor(length / 2),
    until: onset + length,
    ...(inLane ? { lane: 'sub' } : {}),
    tools: [],
    confidence: 1,
    message: '',
    waste: { calls: 1, characters: 0 },
  }),
);

test('every item has a place inside the picture, and places never decrease', () => {
  fc.assert(
    fc.property(
      items,
      fc.array(loop, { maxLength: 3 }),
      fc.constantFrom('order' as const, 'time' as const),
      (all, loops, axis) => {
        const scene = sceneOf(all, loops, axis);
        expect(scene.places.length).toBe(all.length);
        for (const [k, place] of scene.places.entries()) {
          expect(place).toBeGreaterThanOrEqual(scene.places[k - 1] ?? 0);
          expect(place).toBeLessThanOrEqual(scene.width);
          expect(scene.rowOf[k]).toBeLessThan(scene.rows.length);
          expect(scene.rowOf[k] === -1).toBe(all[k]!.type === 'gap');
        }
        for (const { from, to, first, last, seen } of scene.spans) {
          expect(from).toBeLessThanOrEqual(to);
          expect(seen).toBeGreaterThanOrEqual(first);
          expect(seen).toBeLessThanOrEqual(last);
        }
        expect(bandsOf(scene).height).toBeGreaterThan(0);
      },
    ),
  );
});

test('arcs join each item with the next equal one, and nothing else', () => {
  fc.assert(
    fc.property(items, (all) => {
      const { sameCalls, sameResults } = sceneOf(all, [], 'order');
      for (const { from, to } of sameCalls) {
        expect(all[from]!.same).toBe(all[to]!.same);
        expect(all.slice(from + 1, to).some(({ same }) => same === all[from]!.same)).toBe(false);
      }
      const again = (values: readonly (number | undefined)[]) => {
        const known = values.filter((value) => value !== undefined);
        return known.length - new Set(known).size;
      };
      expect(sameCalls.length).toBe(again(all.map(({ same }) => same)));
      expect(sameResults.length).toBe(again(all.map(({ outcome }) => outcome)));
    }),
  );
});

test('an item is found by its place and by its event', () => {
  fc.assert(
    fc.property(items, (all) => {
      const scene = sceneOf(all, [], 'order');
      for (const [k, { seq, last }] of all.entries()) {
        expect(itemAt(scene, scene.places[k]!)).toBe(k);
        expect(itemOfEvent(all, seq)).toBe(k);
        expect(itemOfEvent(all, last)).toBe(k);
      }
      expect(itemAt(scene, 1e9)).toBe(all.length - 1);
    }),
  );
  expect(hasTimes([])).toBe(false);
});

test('going to the next loop repeatedly reaches every onset', () => {
  fc.assert(
    fc.property(items, fc.array(loop, { maxLength: 5 }), (all, loops) => {
      const { spans } = sceneOf(all, loops, 'order');
      const begins = new Set(spans.map(({ first }) => first));
      const reached = new Set<number>();
      let at = -1;
      for (const _ of begins) {
        at = spans[nextSpan(spans, at)]!.first;
        reached.add(at);
      }
      expect(reached).toEqual(begins);
    }),
  );
  expect(nextSpan([], 3)).toBe(-1);
});

test('zooming and moving stay inside; zooming keeps the place under the pointer', () => {
  const width = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(
      width,
      fc.array(fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))),
      (wide, steps) => {
        let shown = { from: 0, to: wide };
        for (const [factor, share] of steps) {
          const about = shown.from + share * (shown.to - shown.from);
          const next = zoomed(shown, factor, about, wide);
          const isAtEdge = next.from <= 0 || next.to >= wide - 1e-9;
          if (!isAtEdge) expect(next.from + share * (next.to - next.from)).toBeCloseTo(about, 5);
          shown = showing(moved(next, (share - 0.5) * 10, wide), about, wide);
          expect(shown.from).toBeGreaterThanOrEqual(0);
          expect(shown.to).toBeLessThanOrEqual(wide + 1e-9);
          expect(shown.to - shown.from).toBeGreaterThan(0);
        }
      },
    ),
  );
  expect(around(10, 20, 1000)).toEqual({ from: 3, to: 27 });
});
