import { expect, test } from 'vitest';
import { assertNever } from './exhaustive.js';
import type { Decision } from './policy.js';

test('what gets through at run time is named, whatever it is', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  for (const [value, words] of [
    [{ type: 'shout' }, 'the gateway does not handle {"type":"shout"}'],
    [undefined, 'the gateway does not handle undefined'],
    [circular, 'the gateway does not handle a value of type object'],
  ])
    expect(() => assertNever(value as never, 'the gateway')).toThrow(words as string);
});

test('a switch that leaves out a kind of decision does not compile', () => {
  const answer = (decision: Decision) => {
    switch (decision.type) {
      case 'allow':
        return 'allow';
      default:
        // @ts-expect-error every other kind is left out here
        return assertNever(decision);
    }
  };
  expect(answer({ type: 'allow' })).toBe('allow');
});
