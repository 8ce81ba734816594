import type { Findings } from 'loopfuse';
import { expect, test } from 'vitest';
import { actionFor } from './decided.js';

test('a rewind refuses the call it comes with, and is a note to the model elsewhere', () => {
  const rewind = { type: 'rewind', from: 3, note: 'NOTE', findings: [] as unknown as Findings } as const;
  const guard = { explain: () => '' };
  expect(actionFor(rewind, guard, true)).toEqual({ type: 'block', message: 'NOTE' });
  expect(actionFor(rewind, guard, false)).toEqual({ type: 'steer', message: 'NOTE' });
});
