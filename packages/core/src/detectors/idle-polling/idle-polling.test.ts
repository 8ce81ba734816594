import { detectorLaws, session } from '@loopfuse/testkit';
import { expect, test } from 'vitest';
import { idlePolling } from './idle-polling.js';

const poll = (k: number) =>
  `Chunk ID: ${(k * 7919).toString(16)}\nWall time: ${k}.0 seconds\nProcess running with session ID 4\nOutput:\n`;

detectorLaws(() => idlePolling(), {
  loops: {
    'a wait without end': session().repeat(25, (s, k) =>
      s.call('write_stdin', { session_id: 4, chars: '' }).result(poll(k)),
    ),
  },
  work: {
    'a short wait': session().repeat(12, (s, k) => s.call('write_stdin', { session_id: 4, chars: '' }).result(poll(k))),
    'a wait in which something happens': session().repeat(60, (s, k) =>
      s.call('TaskOutput', { id: 'a' }).result(`compiled ${k} of 60 files, still running`),
    ),
  },
  stateBytes: 200,
});

test('idle polling is a suspicion and never more', () => {
  const detector = idlePolling({ times: 2 });
  const state = detector.start();
  const step = {
    type: 'step',
    effect: 'poll',
    call: 1,
    outcome: 2,
    tool: 'wait',
    label: '',
    callSeq: 0,
    seq: 1,
  } as never;
  expect(detector.observe(state, step, 1)).toBeUndefined();
  expect(detector.observe(state, step, 3)).toMatchObject({ status: 'suspect', kind: 'stall' });
});
