import { detectorLaws, play, type Session, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import { staleTurns } from './stale-turns.js';

const stuck = session()
  .prompt()
  .repeat(6, (s) => s.turn().call('read_file', { path: 'a.ts' }).result('export const answer = 42;'))
  .turn();

detectorLaws(() => staleTurns(), {
  loops: {
    'the same result, turn after turn': stuck,
    'the same failure of different calls': session()
      .repeat(6, (s, k) =>
        s
          .turn()
          .call('bash', { command: `cat ${k}` })
          .fails('Error: Permission denied'),
      )
      .turn(),
    'turns in which nothing is done': session()
      .repeat(6, (s) => s.turn().text('I will now begin.'))
      .turn(),
    'a wait that does not end': session()
      .repeat(9, (s) => s.turn().call('bash', { command: 'sleep 60' }).result(''))
      .turn(),
    'the same plan, turn after turn': session()
      .repeat(7, (s) =>
        s
          .turn()
          .call('todo_write', { todos: ['look', 'fix'] })
          .result('Todos updated.'),
      )
      .turn(),
  },
  work: {
    'something new in every turn': session().repeat(40, (s, k) =>
      s
        .turn()
        .call('read_file', { path: `${k}` })
        .result(`the text of file number ${k}`),
    ),
    'a change in every fourth turn': session().repeat(20, (s, k) =>
      s
        .repeat(3, (inner) => inner.turn().call('bash', { command: 'npm test' }).fails('Error: 1 test failed'))
        .turn()
        .call('edit', { path: 'a', old: `${k}`, new: 'x' })
        .result('updated'),
    ),
    'waits that end': session().repeat(10, (s, k) =>
      s
        .repeat(7, (inner) => inner.turn().call('bash', { command: 'sleep 60' }).result(''))
        .turn()
        .call('bash', { command: 'cat build.log' })
        .result(`Build ${k} has finished: the archive lies in dist.`),
    ),
    'calls whose results nobody sees': session().repeat(30, (s, k) => s.turn().call('bash', { command: `make ${k}` })),
    'one plan after the other': session().repeat(20, (s, k) =>
      s
        .turn()
        .call('todo_write', { todos: [`step ${k}`] })
        .result('Todos updated.'),
    ),
    'requests of the user': session().repeat(20, (s) => s.prompt().turn().text('Hello.')),
  },
  stateBytes: 2000,
});

describe('the suspicion', () => {
  const suspectedAt = (events: Session) =>
    play([staleTurns()], events.events).findings.flatMap((found, seq) => (found.length > 0 ? [seq] : []));

  test('comes with the turn after the fourth that brought nothing, and with every further one', () => {
    const turnsOf = stuck.events.flatMap(({ type }, seq) => (type === 'turn-start' ? [seq] : []));
    expect(suspectedAt(stuck)).toEqual([turnsOf[5], turnsOf[6]]);
  });

  test('counts a turn that only waited as half a turn', () => {
    const waiting = session().repeat(10, (s) => s.turn().call('get_job', { id: 7 }).result('Status: pending'));
    const turnsOf = waiting.events.flatMap(({ type }, seq) => (type === 'turn-start' ? [seq] : []));
    expect(suspectedAt(waiting)).toEqual([turnsOf[8], turnsOf[9]]);
  });

  test('begins at the first turn that brought nothing', () => {
    const { findings } = play([staleTurns()], stuck.events);
    const turnsOf = stuck.events.flatMap(({ type }, seq) => (type === 'turn-start' ? [seq] : []));
    expect(findings.flat()[0]).toMatchObject({ status: 'suspect', kind: 'stall', onset: turnsOf[1] });
  });

  test('is no certainty, and says how long it has been so', () => {
    const { findings, watch } = play([staleTurns({ turns: 2 })], stuck.events);
    expect(findings.flat().every(({ status }) => status === 'suspect')).toBe(true);
    expect(watch.explain(findings.flat()[0]!)).toBe('The last 2 turns brought nothing new.');
  });
});
