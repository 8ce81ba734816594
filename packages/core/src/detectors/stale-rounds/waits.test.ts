import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { expect, test } from 'vitest';
import { staleRounds } from './stale-rounds.js';

const poll = (k: number) =>
  `Chunk ID: ${(k * 7919).toString(16)}\nWall time: ${k}.0 seconds\nProcess running with session ID 4\nOutput:\n`;

detectorLaws(() => staleRounds(), {
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
  stateBytes: 12_000,
});

test('a wait without end is a suspicion, once in twenty polls, and never more', () => {
  const watch = createWatch({ detectors: [staleRounds()] });
  const wait = session().repeat(100, (s, k) => s.call('write_stdin', { session_id: 4, chars: '' }).result(poll(k)));
  const verdicts = wait.events.map((event) => watch.observe(event)).filter(({ status }) => status !== 'clear');
  expect(verdicts).toHaveLength(5);
  const [first] = verdicts;
  expect(first).toMatchObject({ status: 'suspect', findings: [{ kind: 'stall', onset: 2, evidence: { times: 20 } }] });
  if (first?.status === 'suspect')
    expect(watch.explain(first.findings[0])).toBe(
      'write_stdin was polled 20 times in a row and gave the same answer. One blocking call that waits until it is done would save the rest.',
    );
});
