import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSpending } from './spending.js';

test('what was spent since an event is what came with it and after it, whatever came before', () => {
  const usage = fc.record({ inputTokens: fc.nat(1000), outputTokens: fc.nat(1000), at: fc.constant(0) });
  fc.assert(
    fc.property(fc.array(usage, { minLength: 1, maxLength: 200 }), fc.nat(), (usages, pick) => {
      const spending = createSpending();
      usages.forEach((one, seq) => {
        spending.observe({ type: 'usage', ...one, at: seq * 60_000 }, seq);
      });
      const onset = pick % usages.length;
      const after = usages.slice(onset);
      expect(spending.since(onset)).toEqual({
        inputTokens: after.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
        outputTokens: after.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
        cachedTokens: 0,
        minutes: after.length - 1,
      });
    }),
  );
});

test('what was spent since a loop began stays exact, however long the loop goes on', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.integer({ min: 2, max: 20_000 }), (before, rounds) => {
      const spending = createSpending();
      for (let seq = 0; seq < before + rounds; seq++) {
        spending.observe({ type: 'usage', inputTokens: 10, outputTokens: 1, at: seq * 1000 }, seq);
        if (seq === before + 1) spending.since(before);
      }
      expect(spending.since(before).inputTokens).toBe(10 * rounds);
    }),
    { numRuns: 30 },
  );
});
