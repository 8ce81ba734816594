import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKept, planTimeline } from './plan.js';

const session = fc.integer({ min: 0, max: 500_000 }).chain((events) =>
  fc.tuple(
    fc.constant(events),
    fc.array(
      fc
        .tuple(fc.nat({ max: Math.max(0, events - 1) }), fc.nat({ max: 100_000 }))
        .map(([onset, length]) => ({ onset, until: Math.min(Math.max(0, events - 1), onset + length) })),
      { maxLength: 40 },
    ),
  ),
);

test('a plan is in order, without overlaps, inside the session, and bounded however long that is', () => {
  fc.assert(
    fc.property(session, ([events, loops]) => {
      const plan = planTimeline(events, loops);
      let before = -2;
      let kept = 0;
      for (const { from, to } of plan) {
        expect(from).toBeGreaterThan(before + 1);
        expect(to).toBeGreaterThanOrEqual(from);
        before = to;
        kept += to - from + 1;
      }
      expect(before).toBeLessThan(Math.max(1, events));
      expect(kept).toBeLessThanOrEqual(4000);
    }),
  );
});

test('both ends of the first loops are kept, however long they are', () => {
  fc.assert(
    fc.property(session, ([events, loops]) => {
      const plan = planTimeline(events, loops);
      for (const { onset, until } of loops.slice(0, 16)) {
        expect(isKept(plan, onset)).toBe(true);
        expect(isKept(plan, until)).toBe(true);
      }
    }),
  );
});

test('a session of moderate length is kept whole', () => {
  expect(planTimeline(4000, [])).toEqual([{ from: 0, to: 3999 }]);
});
