import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch, type Fault, resumeWatch } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { type BudgetOptions, budget } from './budget.js';

const caps: BudgetOptions = { hard: { calls: 20, tokens: 1_000_000 }, soft: { calls: 8 } };

detectorLaws(() => budget(caps), {
  loops: {
    'more calls than allowed': session().repeat(21, (s, k) => s.call('read', { path: `${k}` }).result('')),
    'a soft cap, and one call again and again': session().repeat(9, (s) => s.call('read', { path: 'a' }).result('')),
    'more tokens than allowed': session().usage(999_999, 2),
  },
  work: {
    'a soft cap, and every call another': session().repeat(15, (s, k) => s.call('read', { path: `${k}` }).result('')),
    'each request within its cap': session().repeat(5, (s) =>
      s.prompt('next').repeat(15, (inner, k) => inner.call('read', { path: `${k}` }).result('')),
    ),
  },
  stateBytes: 2000,
});

describe('budget', () => {
  test('counts what the host says it costs', () => {
    const watch = createWatch({ detectors: [budget({ hard: { cost: 1 } })] });
    expect(watch.observe({ type: 'usage', inputTokens: 1, outputTokens: 1, cost: 0.6 }).status).toBe('clear');
    expect(watch.observe({ type: 'usage', inputTokens: 1, outputTokens: 1, cost: 0.6 })).toMatchObject({
      status: 'looping',
      findings: [{ evidence: { measure: 'cost', cap: 1, spent: 1.2 } }],
    });
  });

  test('caps nothing by itself', () => {
    const watch = createWatch({ detectors: [budget()] });
    expect(
      session()
        .repeat(2000, (s) => s.usage(1e9, 1e9))
        .events.every((event) => watch.observe(event).status === 'clear'),
    ).toBe(true);
  });

  test('counts nothing that a host can only have reported by mistake, so that a sum is always a number', () => {
    const faults: Fault[] = [];
    const options = { detectors: [budget({ hard: { tokens: 10 } })], onFault: (fault: Fault) => faults.push(fault) };
    const watch = createWatch(options);
    for (const wrong of [1e308, 1e308, Number.POSITIVE_INFINITY, Number.NaN, -50])
      expect(watch.observe({ type: 'usage', inputTokens: wrong, outputTokens: 0, cost: wrong }).status).toBe('clear');
    watch.observe({ type: 'usage', inputTokens: 8, outputTokens: 2 });
    const resumed = resumeWatch(options, JSON.parse(JSON.stringify(watch.snapshot())));
    expect(resumed.observe({ type: 'usage', inputTokens: 1, outputTokens: 0 }).status).toBe('looping');
    expect(faults).toEqual([]);
  });

  test('refuses a negative cap, and repeats that are no number', () => {
    expect(() => budget({ soft: { turns: -1 } })).toThrow('budget: soft.turns must be a number from 0');
    expect(() => budget({ repeats: Number.NaN })).toThrow('budget: repeats must be an integer of at least 1, got NaN');
  });
});
