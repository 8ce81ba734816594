import { detectorLaws, play, session } from '@loopfuse/testkit';
import type { Json } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { identicalCalls } from './identical-calls.js';

const input = { path: 'src/a.ts', limit: 20 };

detectorLaws(() => identicalCalls(), {
  loops: {
    'five reads in a row': session().repeat(5, (s) => s.call('read_file', input).result('the same')),
    'with talk in between': session().repeat(6, (s) =>
      s.turn().text('Let me see. ').call('read_file', input).result(''),
    ),
    'in one batch': session()
      .turn()
      .repeat(5, (s) => s.call('ls', {})),
  },
  work: {
    'four reads in a row': session().repeat(4, (s) => s.call('read_file', input).result('the same')),
    'a read after every edit': session().repeat(8, (s, k) =>
      s.call('replace', { k }).result('ok').call('read_file', input).result('new'),
    ),
    'four for each of two prompts': session().repeat(2, (s) => s.prompt('go on').repeat(4, (t) => t.call('ls', {}))),
  },
  stateBytes: 100,
});

/** Indices of the events at which it speaks. */
function speaksAt(events: ReturnType<typeof session>, times?: number): number[] {
  const { findings } = play([times === undefined ? identicalCalls() : identicalCalls({ times })], events.events);
  return findings.flatMap((found, at) => (found.length > 0 ? [at] : []));
}

describe('identicalCalls', () => {
  test('speaks at the fifth call and at every further one', () => {
    expect(speaksAt(session().repeat(7, (s) => s.call('ls', input)))).toEqual([4, 5, 6]);
  });

  test('speaks at the call itself, not at its result', () => {
    expect(speaksAt(session().repeat(5, (s) => s.call('ls', input).result('')))).toEqual([8]);
  });

  test('counts as far as it is told', () => {
    expect(
      speaksAt(
        session().repeat(10, (s) => s.call('ls', input)),
        10,
      ),
    ).toEqual([9]);
  });

  test('tells tool, count, limit and where the repeating began', () => {
    const { watch, findings } = play(
      [identicalCalls()],
      session()
        .call('pwd')
        .repeat(5, (s) => s.call('ls', input)).events,
    );
    const [finding] = findings[5]!;
    expect(finding).toMatchObject({
      kind: 'repeated-calls',
      status: 'looping',
      onset: 2,
      evidence: { tool: 'ls', times: 5, limit: 5 },
      tools: ['ls'],
    });
    expect(watch.explain(finding!)).toBe('ls was called 5 times in a row with the same input (the limit is 5).');
  });

  test.each<[string, Json, Json]>([
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['white space in a text', { a: 'x y' }, { a: 'x  y' }],
    ['the type of a value', { a: 1 }, { a: '1' }],
  ])('minds %s', (_what, one, other) => {
    expect(
      speaksAt(
        session()
          .repeat(4, (s) => s.call('ls', one))
          .call('ls', other),
      ),
    ).toEqual([]);
  });

  test('minds the name of the tool, but takes every lone half of a surrogate pair in it for the same', () => {
    expect(
      speaksAt(
        session()
          .repeat(4, (s) => s.call('ls', {}))
          .call('LS', {}),
      ),
    ).toEqual([]);
    expect(
      speaksAt(
        session()
          .repeat(4, (s) => s.call('ls\ud83d', {}))
          .call('ls\ude00', {}),
      ),
    ).toEqual([4]);
    expect(
      speaksAt(
        session()
          .repeat(4, (s) => s.call('ls😀', {}))
          .call('ls😁', {}),
      ),
    ).toEqual([]);
  });

  test('takes an input that has no JSON for a call like no other', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(speaksAt(session().repeat(9, (s) => s.call('ls', cycle as Json)))).toEqual([]);
    expect(
      speaksAt(
        session()
          .repeat(4, (s) => s.call('ls', {}))
          .call('ls', cycle as Json)
          .repeat(4, (s) => s.call('ls', {})),
      ),
    ).toEqual([]);
  });

  test('refuses a limit below two', () => {
    expect(() => identicalCalls({ times: 1 })).toThrow('identicalCalls: times must be an integer of at least 2, got 1');
  });
});
