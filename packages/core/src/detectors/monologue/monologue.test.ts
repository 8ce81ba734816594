import { detectorLaws, play, type Session, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../finding.js';
import { monologue } from './monologue.js';

const message = 'I have finished the task. Please let me know whether there is anything else that I can do.';
const say = (turn: Session, text = message) => turn.turn().text(text);

detectorLaws(() => monologue(), {
  loops: {
    'the same message in every turn': session()
      .prompt()
      .repeat(5, (turn) => say(turn))
      .turn(),
    'with a call that brings nothing new': session()
      .prompt()
      .repeat(6, (turn) => say(turn).call('read', { path: 'a' }).result('the same'))
      .turn(),
    'with a number that counts up': session()
      .prompt()
      .repeat(4, (turn, k) => say(turn, `Retry ${k} of the upload of all the files in this folder.`))
      .turn(),
  },
  work: {
    'another message in every turn': session()
      .prompt()
      .repeat(9, (turn, k) => say(turn, `${message} ${'abcdefghi'[k]}`))
      .turn(),
    'the same message before another call': session()
      .prompt()
      .repeat(9, (turn, k) =>
        say(turn)
          .call('read', { path: `${k}.ts` })
          .result(`contents ${'abcdefghi'[k]}`),
      )
      .turn(),
    'small talk': session()
      .prompt()
      .repeat(5, (turn) => say(turn, 'Continuing.'))
      .turn(),
    'the same message twice': session()
      .prompt()
      .repeat(2, (turn) => say(turn))
      .turn(),
  },
  stateBytes: 3000,
});

function findings(events: Session, options?: Parameters<typeof monologue>[0]): Finding[] {
  return play([monologue(options)], events.events).findings.flat() as Finding[];
}

describe('monologue', () => {
  test('is sure at the third equal message, when it has ended, and says since when', () => {
    const events = session()
      .prompt()
      .repeat(3, (turn) => say(turn))
      .turn();
    expect(findings(events)).toMatchObject([
      { kind: 'monologue', status: 'looping', onset: 5, evidence: { message, times: 3, prompts: 0 } },
    ]);
  });

  test('case, white space and digits do not make another message', () => {
    const events = session()
      .turn()
      .text(message)
      .turn()
      .text(`  ${message.toUpperCase()}`)
      .turn()
      .text(message.replaceAll(' ', '\n'))
      .turn();
    expect(findings(events)).toHaveLength(1);
  });

  test('only suspects while the user answers, and is sure after five', () => {
    const events = session()
      .repeat(6, (turn) => say(turn.prompt('Please try harder.')))
      .turn();
    expect(findings(events).map(({ status }) => status)).toEqual(['suspect', 'suspect', 'looping', 'looping']);
    expect(findings(events)[0]!.evidence).toMatchObject({ prompts: 2 });
  });

  test('takes a new call or a new result for a new beginning', () => {
    const twice = session()
      .prompt()
      .repeat(2, (turn) => say(turn));
    const read = (turn: Session, output: string) => turn.call('read', { path: 'a.ts' }).result(output);
    expect(findings(say(say(read(twice, 'one'))).turn())).toEqual([]);
    expect(findings(say(read(say(read(twice, 'one')), 'two')).turn())).toEqual([]);
    expect(findings(say(read(say(read(say(read(twice, 'one')), 'one')), 'one')).turn())).toHaveLength(1);
  });

  test('takes waiting for a job for work, and thinking aloud for nothing', () => {
    const waiting = session()
      .prompt()
      .repeat(8, (turn) => say(turn).call('wait_for_job', {}).result('still running'));
    expect(findings(waiting.turn())).toEqual([]);
    const thinking = session()
      .prompt()
      .repeat(4, (turn, k) =>
        say(turn)
          .call('think', { thought: `so ${k}` })
          .result(''),
      );
    expect(findings(thinking.turn())).not.toEqual([]);
  });

  test('does not count an attempt that is played again', () => {
    const events = session()
      .prompt()
      .turn()
      .text(message)
      .retry()
      .turn()
      .text(message)
      .retry()
      .turn()
      .text(message)
      .retry()
      .turn();
    expect(findings(events)).toEqual([]);
  });

  test('hears two messages that take turns', () => {
    const events = session()
      .prompt()
      .repeat(6, (turn, k) => say(turn, k % 2 ? message : `${message} Or not?`))
      .turn();
    expect(findings(events).map(({ status }) => status)).toEqual(['looping', 'looping']);
  });

  test('small talk must come three times as often', () => {
    const small = (times: number) =>
      session()
        .prompt()
        .repeat(times, (turn) => say(turn, 'Ready to go on?'))
        .turn();
    expect(findings(small(8))).toEqual([]);
    expect(findings(small(9))).toHaveLength(1);
  });

  test('can be told what is enough', () => {
    const events = session()
      .prompt()
      .repeat(4, (turn) => say(turn))
      .turn();
    expect(findings(events, { times: 5 })).toEqual([]);
    expect(findings(events, { times: 2 })).toHaveLength(3);
    expect(() => monologue({ times: 1 })).toThrow('monologue: times must be an integer of at least 2, got 1');
  });

  test('explains itself in a sentence', () => {
    const { explain } = monologue();
    expect(explain({ message: 'Done.', times: 3, prompts: 0 })).toBe(
      'The same message was given 3 times with nothing new done in between: "Done.".',
    );
    expect(explain({ message: 'Done.', times: 5, prompts: 1 })).toContain('although the user answered once');
  });
});
