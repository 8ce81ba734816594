import { describe, expect, test } from 'vitest';
import type { Step } from '../../step/step.js';
import { noStalls, stallOf } from './stalls.js';
import type { Weighed } from './weigh/index.js';

const failed = { error: { core: 'the bridge does not hold', line: 7, bare: false, infrastructure: false } } as Step;
const failures = (count: number) => ({ failures: count, steady: 0, failing: 3 }) as Weighed;

describe('the stall that a step shows', () => {
  test('is a loop before a suspicion, whichever count saw it', () => {
    const idle = { ...noStalls, idle: 4000 };
    expect(stallOf(idle, failed, failures(1))).toMatchObject({ type: 'stall', looping: false });
    expect(stallOf(idle, failed, failures(10))).toMatchObject({ type: 'futile', looping: true, onset: 3 });
    const vain = { ...idle, shown: true, vain: 13_000 };
    expect(stallOf(vain, failed, failures(10))).toMatchObject({ type: 'vain', looping: true });
    expect(stallOf({ ...idle, idle: 9000 }, failed, failures(7))).toMatchObject({ type: 'stall', looping: true });
    expect(stallOf(noStalls, failed, failures(1))).toBeUndefined();
  });
});
