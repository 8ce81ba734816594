import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContentPrint } from '../../recorded/content-print.js';
import type { LoopReport, SessionReport } from '../../recorded/session-report.js';
import { createCopies } from './copies.js';

function loopAt(seq: number): LoopReport {
  const waste = { calls: 3, characters: 0, tokens: 0 };
  const spent = { calls: 3, characters: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return {
    finding: {
      detector: 'stale-rounds',
      kind: 'repeated-calls',
      status: 'looping',
      seq,
      onset: seq - 4,
      episode: '1',
      again: 0,
      confidence: 0.9,
      evidence: null,
      tools: ['read_file'],
      calls: [1],
      waste,
    },
    kind: 'repeated-calls',
    detector: 'stale-rounds',
    tools: ['read_file'],
    message: '',
    confidence: 0.9,
    until: seq,
    spent,
    spentUntil: spent,
    confirmed: false,
  };
}

/** `content` is what its events say: equal for copies. */
function session(
  id: string,
  events: number,
  loops: readonly number[] = [],
  root?: string,
  content = id,
): SessionReport {
  const print = createContentPrint();
  for (let k = 0; k < events; k++) print.observe({ type: 'text', text: `${content} ${k}` });
  const file = `${id}-${events}.jsonl`;
  return {
    session: { id, agent: 'toy', format: 'trace', file, events, ...(root === undefined ? {} : { root }) },
    events,
    calls: events,
    withoutArguments: false,
    spent: { calls: events, characters: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    loops: loops.map(loopAt),
    print: print.marks,
  };
}

describe('of copies of a session', () => {
  test('the longest counts, in whatever order they come, and all others are reported as copies or taken back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1 }), (lengths) => {
        const judge = createCopies();
        let counting: SessionReport[] = [];
        for (const events of lengths) {
          const judgement = judge(session('a', events));
          if (judgement.type === 'copy') continue;
          counting = [...counting.filter((one) => one !== judgement.instead), judgement.report];
        }
        expect(counting.map(({ events }) => events)).toEqual([Math.max(...lengths)]);
      }),
    );
  });

  test('the file that reported it first is named', () => {
    const judge = createCopies();
    judge(session('a', 5));
    expect(judge(session('a', 5))).toEqual({ type: 'copy', of: 'a-5.jsonl' });
    expect(judge(session('a', 3))).toEqual({ type: 'copy', of: 'a-5.jsonl' });
  });
});

test('sessions of the same id by different agents are different sessions', () => {
  const judge = createCopies();
  const other = session('a', 5);
  judge(session('a', 5));
  expect(judge({ ...other, session: { ...other.session, agent: 'other' } }).type).toBe('counts');
});

test('a session that was resumed from another counts, but not the loops of what they share', () => {
  const judge = createCopies();
  judge(session('first', 50, [10, 30], 'root'));
  const resumed = judge(session('second', 90, [10, 30, 70], 'root'));
  expect(resumed).toMatchObject({ type: 'counts', report: { events: 90, loops: [{ finding: { seq: 70 } }] } });
  const other = judge(session('third', 90, [10], 'another root'));
  expect(other).toMatchObject({ report: { loops: [{ finding: { seq: 10 } }] } });
});

test('a session that was forked after a summary counts, but not the loops of the calls that both hold', () => {
  const at = (seq: number, call: string): LoopReport => ({ ...loopAt(seq), call });
  const judge = createCopies();
  const call = 'toolu_0bb05287bbd6f4170ab8a464';
  judge({ ...session('first', 50), loops: [at(30, call)] });
  const forked = judge({ ...session('second', 40), loops: [at(8, call), at(20, 'toolu_37357d9f8606885c83e1b383')] });
  expect(forked).toMatchObject({ type: 'counts', report: { loops: [{ finding: { seq: 20 } }] } });
  // Names that anybody might give are no sign of that.
  judge({ ...session('third', 50), loops: [at(30, 'call_1')] });
  expect(judge({ ...session('fourth', 50), loops: [at(30, 'call_1')] })).toMatchObject({
    report: { loops: [{ call: 'call_1' }] },
  });
});

test('a longer copy keeps the loops of the shorter one that it replaces', () => {
  const judge = createCopies();
  const short = judge(session('a', 20, [10], 'root'));
  const long = judge(session('a', 40, [10, 30], 'root'));
  expect(long).toMatchObject({ report: { loops: [{ finding: { seq: 10 } }, { finding: { seq: 30 } }] } });
  expect(long.type === 'counts' && short.type === 'counts' && long.instead === short.report).toBe(true);
});

describe('sessions of the same name', () => {
  test('all count where their content differs, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        const judge = createCopies();
        for (const [k, events] of lengths.entries())
          expect(judge(session('x', events, [], undefined, `run ${k}`))).not.toHaveProperty('instead');
      }),
    );
  });

  test('are copies where one begins with all of the other, in either order', () => {
    const judge = createCopies();
    judge(session('x', 9, [], undefined, 'one'));
    judge(session('x', 9, [], undefined, 'two'));
    expect(judge(session('x', 4, [], undefined, 'one')).type).toBe('copy');
    expect(judge(session('x', 12, [], undefined, 'two'))).toMatchObject({ type: 'counts', instead: { events: 9 } });
  });

  test('are one session where the name was drawn at random, though it was rewritten', () => {
    const id = '0199b3c2-7d43-7c41-a1d5-6b1f0a3f9f10';
    const judge = createCopies();
    judge(session(id, 9, [], undefined, 'as it was'));
    expect(judge(session(id, 5, [], undefined, 'summarised')).type).toBe('copy');
  });
});
