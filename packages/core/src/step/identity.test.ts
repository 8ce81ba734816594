import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../event.js';
import { likeness } from '../value/sketch.js';
import { identify } from './identity.js';

const call = (input: unknown, tool = 'tool', keys?: readonly string[]) => identify(tool, input as never, keys).call;

describe('the identity of a call', () => {
  test('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(call(reversed(value))).toBe(call(value));
        expect(call(JSON.parse(JSON.stringify(value)))).toBe(call(value));
      }),
      { examples: [[[{ '!': null, '': '' }]]] },
    );
  });

  test.each([
    ['a description', { command: 'ls', description: 'List files' }, { command: 'ls', description: 'Look around' }],
    ['empty keys', { '': '' }, {}],
    ['empty values', { a: 1, b: null, c: '', d: [], e: {} }, { a: 1 }],
    ['JSON in a string', '{"path":"a"}', { path: 'a' }],
    ['a number in a string', { n: '5' }, { n: 5 }],
    ['a nonce', { q: 'x', nonce: 'a1' }, { q: 'x', nonce: 'b2' }],
    ['spaces in a line and at its end', { q: 'SELECT  1 \n' }, { q: 'SELECT 1' }],
  ])('does not depend on %s', (_name, a, b) => {
    expect(call(a)).toBe(call(b));
  });

  test.each([
    ['another path', { path: 'a' }, { path: 'b' }],
    ['another place', { path: 'a', offset: 100 }, { path: 'a', offset: 200 }],
    ['another indentation', { command: '  if x:' }, { command: '    if x:' }],
    ['a blank in what an edit replaces', { old_string: 'a: 1' }, { old_string: 'a:\t1' }],
    ['another key', { a: 1 }, { b: 1 }],
    ['another nesting', { a: { b: 1 } }, { a: 1, b: 1 }],
    ['a description where there is nothing else', { description: 'a' }, { description: 'b' }],
  ])('depends on %s', (_name, a, b) => {
    expect(call(a)).not.toBe(call(b));
  });

  test('is that of the keys a rule names, and of nothing else', () => {
    expect(call({ id: 7, at: 1 }, 'poll', ['id'])).toBe(call({ id: 7, at: 2 }, 'poll', ['id']));
    expect(call({ id: 7 }, 'poll', ['id'])).not.toBe(call({ id: 8 }, 'poll', ['id']));
  });

  test('is found for inputs that are no trees', () => {
    const knot: Record<string, unknown> = { a: 1 };
    knot.self = knot;
    knot.list = [knot, knot];
    expect(Number.isSafeInteger(call(knot))).toBe(true);
  });

  test('near-equal inputs have near-equal sketches', () => {
    const sketch = (query: string) => identify('sql', { query }, undefined).sketch;
    const query = 'SELECT name, earnings FROM players WHERE country = "FI" ORDER BY earnings DESC LIMIT';
    expect(likeness(sketch(`${query} 10`), sketch(`${query} 20`))).toBe(1);
    expect(likeness(sketch(query), sketch('git log --oneline --decorate since yesterday evening'))).toBeLessThan(0.4);
  });

  test('the thoughts that an action carries are no part of it', () => {
    const call = (memory: string, down: string) =>
      identify('AgentOutput', { current_state: { memory, next_goal: memory }, action: [{ [down]: {} }] }, undefined)
        .call;
    expect(call('Scrolled once.', 'scroll_down')).toBe(call('Scrolled twice.', 'scroll_down'));
    expect(call('Scrolled once.', 'scroll_down')).not.toBe(call('Scrolled once.', 'scroll_up'));
    const kept = (memory: string) => identify('remember_fact', { memory }, undefined).call;
    expect(kept('The key is under the mat.')).not.toBe(kept('The key is in the pot.'));
  });

  test('a number is one number, whatever its sign and its fraction', () => {
    const skeleton = (x: number) => identify('move', { x }, undefined).skeleton;
    for (const x of [0, 41, -41, 41.5, -0.26, 41.342_857_142_857_14]) expect(skeleton(x)).toBe(skeleton(9));
    expect(skeleton(2_034_512_876)).not.toBe(skeleton(2_034_512_877));
  });

  test('calls that differ in numbers alone have one skeleton, long ids aside', () => {
    const skeleton = (command: string) => identify('bash', { command }, undefined).skeleton;
    expect(skeleton('goto 113')).toBe(skeleton('goto 9'));
    expect(skeleton('goto 113')).not.toBe(skeleton('open 113'));
    expect(skeleton('cat 0f3325f5d29a.json')).not.toBe(skeleton('cat 1b972894b59f.json'));
  });

  test('a comment behind a command, and a note beside it, are for the reader', () => {
    const call = (input: Json) => identify('bash', input, undefined).call;
    expect(call({ command: 'npm test # step 7' })).toBe(call({ command: 'npm test' }));
    expect(call({ command: 'npm test', note: 'step 7' })).toBe(call({ command: 'npm test' }));
    expect(call({ command: 'echo "a # b"' })).not.toBe(call({ command: 'echo "a' }));
  });

  test('an input is cut short where it is JSON that breaks off', () => {
    const isCut = (given: Json) => identify('edit', given, undefined).cut;
    const input = '{"path":"a.ts","old":"const limit = 5;","new":"const limit = 6;"}';
    expect(isCut(input.slice(0, 30))).toBe(true);
    for (const whole of [input, JSON.parse(input) as Json, 'npm test', '', null, '[1, 2'])
      expect(isCut(whole)).toBe(false);
  });

  test('a path or an address is what a call is about', () => {
    const target = (input: Json) => identify('read', input, undefined).target;
    expect(target({ path: 'a.ts', offset: 1 })).toBe(target({ path: 'a.ts', offset: 2 }));
    expect(target({ path: 'a.ts' })).not.toBe(target({ path: 'b.ts' }));
    expect(target({ command: 'ls' })).toBe(0);
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
