import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCounters, withoutCounters } from './counters.js';
import { createSteps } from './steps.js';

const bodies = ['src/a.ts', 'The tests pass.', 'Nothing was found.\nLook elsewhere.', 'main', 'a b c', 'export {};'];

/** What is left of results that come one after the other. */
function left(results: readonly string[], failed = false): string[] {
  const counters = createCounters();
  return results.map((text) => withoutCounters(counters, text, failed));
}

describe('what a host counts around results', () => {
  test.each([
    ['the number of a step before them', (body: string, k: number) => `Step ${k}\n${body}`],
    ['a number with its sum', (body: string, k: number) => `(step ${k}/50) ${body}`],
    ['an observation that is numbered', (body: string, k: number) => `Observation ${k}: ${body}`],
    ['what is left of the turns', (body: string, k: number) => `${body}\n[${50 - k} turns remaining]`],
    ['behind a blank', (body: string, k: number) => `${body} (${2 * k} % done)`],
    ['at both ends', (body: string, k: number) => `# ${k} #\n${body}\nTurn ${k} of 9`],
  ])('is taken off: %s', (_, around) => {
    const results = bodies.map((body, k) => around(body, k + 1));
    expect(
      left(results)
        .slice(2)
        .map((text) => text.trim()),
    ).toEqual(bodies.slice(2));
    expect(left(results, true).slice(0, 4)).toEqual(results.slice(0, 4));
    expect(left(results, true)[4]?.trim()).toBe(bodies[4]);
  });

  test.each([
    ['numbers that do as they like', ['Score: 3\na', 'Score: 5\nb', 'Score: 2\nc', 'Score: 9\nd', 'Score: 4\ne']],
    ['numbers that stay', ['Exit code: 0\na', 'Exit code: 0\nb', 'Exit code: 0\nc', 'Exit code: 0\nd']],
    ['long steps', ['At 100:\na', 'At 200:\na', 'At 300:\na', 'At 400:\na']],
    ['the whole result', ['Step 1', 'Step 2', 'Step 3', 'Step 4']],
    ['an id', ['[ref=e1] a', '[ref=e2] b', '[ref=e3] c', '[ref=e4] d', '[ref=e5] e']],
    ['a clock', ['[12:00:01] a', '[12:00:02] b', '[12:00:03] c', '[12:00:04] d']],
    ['other words each time', ['Step 1\na', 'Turn 2\nb', 'Step 3\nc', 'Turn 4\nd']],
  ])('is no counter: %s', (_, results) => {
    expect(left(results)).toEqual(results);
  });

  test('takes nothing of what stands behind it on its line', () => {
    const results = [1, 2, 3, 4].map((k) => `bash: line ${k}: cd: payments: No such file or directory`);
    expect(left(results)[3]?.trim()).toBe('cd: payments: No such file or directory');
  });

  test('does not hide that an edit failed', () => {
    const steps = createSteps(() => undefined);
    const edit = (k: number) => {
      const id = `e${k}`;
      steps.observe({ type: 'tool-call', id, tool: 'edit', input: { path: `${k}.ts`, old: 'a', new: 'b' } }, 2 * k, []);
      const output = `Step ${k}\nDone. 0 replacements in ${k}.ts.`;
      return steps.observe({ type: 'tool-result', id, output }, 2 * k + 1, []).steps.at(-1)?.status;
    };
    expect([1, 2, 3, 4, 5].map(edit)).toEqual(['ok', 'ok', 'failed', 'failed', 'failed']);
  });

  test('is only ever an end of a result, whatever the results are', () => {
    const piece = fc.constantFrom('a', 'Step ', '7', '8', '9', '\n', ': ', '] ', ' [', '12:30', '\ud800', ' ', '"');
    const result = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(result, fc.boolean()), { maxLength: 20 }), (results) => {
        const counters = createCounters();
        for (const [text, failed] of results) expect(text).toContain(withoutCounters(counters, text, failed));
      }),
    );
  });

  test('is the same when it is saved and read in between', () => {
    const counters = createCounters();
    for (let step = 1; step < 9; step++) {
      const text = `Step ${step}\nresult ${step % 3}`;
      const copy = JSON.parse(JSON.stringify(counters)) as typeof counters;
      expect(withoutCounters(copy, text, false)).toBe(withoutCounters(counters, text, false));
      expect(copy).toEqual(counters);
    }
  });
});
