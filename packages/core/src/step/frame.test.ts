import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrame, withoutFrame } from './frame.js';

const bodies = ['src/a.ts', 'The tests pass.', 'Nothing was found.\nLook elsewhere.', 'main', 'a b c', 'export {};'];

/** What is left of results that come one after the other, each for another call, of two tools in turn. */
function left(
  results: readonly string[],
  { calls = (k: number) => k + 1, tools = ['read', 'run'], failed = false } = {},
) {
  const frame = createFrame();
  return results.map((text, k) =>
    withoutFrame(frame, text, { call: calls(k), tool: tools[k % tools.length]! }, failed),
  );
}

describe('the frame of results', () => {
  test.each([
    ['the number of a step before them', (body: string, k: number) => `Step ${k}\n${body}`],
    ['a number with its sum', (body: string, k: number) => `(step ${k}/50) ${body}`],
    ['an observation that is numbered', (body: string, k: number) => `Observation ${k}: ${body}`],
    ['what is left of the turns', (body: string, k: number) => `${body}\n[${50 - k} turns remaining]`],
    ['what was spent', (body: string, k: number) => `${body}\n(tokens used: ${k * k * 17}, cost: $0.${100 + k * k})`],
    ['a long reminder', (body: string) => `${body}\n\n${'Think before you act, and use your tools. '.repeat(5)}`],
    ['both', (body: string, k: number) => `# ${k} #\n${body}\nTurn ${k} of 9`],
  ])('is taken off: %s', (_, around) => {
    const results = bodies.map((body, k) => around(body, k + 1));
    expect(
      left(results)
        .slice(3)
        .map((text) => text.trim()),
    ).toEqual(bodies.slice(3));
  });

  test('is a counter, too, where the same call is made again and again', () => {
    const results = [7, 8, 9, 10, 11].map((step) => `Step ${step}\nThe tests pass.`);
    const rest = left(results, { calls: () => 1, tools: ['run'] });
    expect(rest.slice(2)).toEqual(['The tests pass.', 'The tests pass.', 'The tests pass.']);
  });

  test('may hold nothing', () => {
    expect(left(['Step 1\na', 'Step 2\nb', 'Step 3\nc', 'Step 4\nd', 'Step 5'])[4]).toBe('');
  });

  test.each([
    ['numbers that do as they like', ['Score: 3\na', 'Score: 5\nb', 'Score: 2\nc', 'Score: 9\nd', 'Score: 4\ne']],
    ['numbers that stay', ['Exit code: 0\na', 'Exit code: 0\nb', 'Exit code: 0\nc', 'Exit code: 0\nd']],
    ['a short line', ['Output:\na', 'Output:\nb', 'Output:\nc', 'Output:\nd']],
    ['the whole result', ['Step 1', 'Step 2', 'Step 3', 'Step 4']],
    ['an id', ['[ref=e1] a', '[ref=e2] b', '[ref=e3] c', '[ref=e4] d', '[ref=e5] e']],
    ['a clock', ['[12:00:01] a', '[12:00:02] b', '[12:00:03] c', '[12:00:04] d']],
  ])('is none: %s', (_, results) => {
    expect(left(results)).toEqual(results);
  });

  const opening = 'No results were found for what you asked. Try other words, or fewer of them, and look again';

  test('is none where only one tool says it, or failures do', () => {
    const results = bodies.map((body) => `${opening.repeat(2)}\n${body}`);
    expect(left(results).slice(3)).toEqual(bodies.slice(3));
    expect(left(results, { tools: ['search'] })).toEqual(results);
    expect(left(results, { failed: true })).toEqual(results);
  });

  test('is given up where many results come without it', () => {
    const results = Array.from({ length: 60 }, (_, k) => (k < 6 ? `${opening.repeat(2)}\n${bodies[k]}` : `other ${k}`));
    const rest = left([...results, results[0]!]);
    expect(rest[5]).toBe(bodies[5]);
    expect(rest.at(-1)).toBe(results[0]);
  });

  test('never takes off anything but an end, whatever the results are', () => {
    const piece = fc.constantFrom('a', 'Step ', '7', '\n', ': ', '] ', ' [', '12:30', '\ud800', ' ', '"');
    const result = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(result, fc.nat(2), fc.boolean()), { maxLength: 20 }), (results) => {
        const frame = createFrame();
        for (const [text, call, failed] of results)
          expect(text).toContain(withoutFrame(frame, text, { call, tool: `${call}` }, failed));
        expect(frame.head.marks.length + frame.tail.marks.length).toBeLessThanOrEqual(24);
      }),
    );
  });

  test('is the same when it is saved and read in between', () => {
    const saved = createFrame();
    const read = () => JSON.parse(JSON.stringify(saved)) as typeof saved;
    for (let step = 1; step < 9; step++) {
      const text = `Step ${step}\nresult ${step % 3}`;
      const asked = { call: step % 4, tool: 'run' };
      const copy = read();
      expect(withoutFrame(copy, text, asked, false)).toBe(withoutFrame(saved, text, asked, false));
      expect(copy).toEqual(saved);
    }
  });
});
