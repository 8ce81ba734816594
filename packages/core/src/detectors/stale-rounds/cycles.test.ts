import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { staleRounds } from './stale-rounds.js';

const refused = 'Error: the edit was not applied: old_string was not found in the file';
const page = (k: number) => `lines ${k * 50} to ${k * 50 + 49} of the file, which say something new each time`;

const rejectedEdit = session()
  .prompt('Fix the bug')
  .repeat(3, (s) => s.call('edit', { path: 'a.ts', old: 'x', new: 'y' }).fails(refused));
const pingPong = session().repeat(3, (s) =>
  s
    .call('open', { path: 'src/main.ts' })
    .result('import { start } from "./start.js"; start();')
    .call('grep', { pattern: 'begin' })
    .result('No matches found'),
);
const sixCalls = session().repeat(3, (s) =>
  s.repeat(6, (inner, k) =>
    inner.call('read', { path: `${k}.ts` }).result(`the contents of file number ${k}, which are long enough`),
  ),
);
const thinksBetween = session().repeat(3, (s, k) =>
  s
    .call('think', { thought: `This time I will do it differently (${k}).` })
    .result('')
    .call('book', { flight: 'HAT1' })
    .fails('Error: the payment does not add up'),
);

detectorLaws(() => staleRounds(), {
  loops: {
    'a rejected edit': rejectedEdit,
    'ping-pong': pingPong,
    'six calls': sixCalls,
    'thinks between': thinksBetween,
  },
  work: {
    paging: session().repeat(12, (s, k) => s.call('scroll_down').result(page(k))),
    polling: session().repeat(12, (s) =>
      s.call('write_stdin', { session: 1, chars: '' }).result('Process running with session ID 1'),
    ),
    'a test after each edit': session().repeat(5, (s, k) =>
      s
        .call('edit', { path: 'a.ts', old: `v${k}`, new: `v${k + 1}` })
        .result('updated')
        .call('bash', { command: 'npm test' })
        .fails('Error: 3 tests failed'),
    ),
    'a robot that moves': session().repeat(20, (s) => s.call('move_forward').result('ok')),
    'timings asked for': session().repeat(7, (s, k) =>
      s.call('bash', { command: './bench' }).result(`ran the whole benchmark of forty cases in ${k + 3}.2 s`),
    ),
    'twins in one request': session()
      .repeat(5, (s) => s.call('read', { path: 'a' }))
      .repeat(5, (s) => s.result('the same long contents of the file a, five times')),
    'the user asks again': session().repeat(4, (s) =>
      s
        .prompt('run it again')
        .call('bash', { command: 'ls -l' })
        .result('a.ts b.ts and some forty more files of that kind'),
    ),
  },
  stateBytes: 12_000,
});

describe('cycles', () => {
  const firstFinding = (events: readonly Parameters<ReturnType<typeof createWatch>['observe']>[0][]) => {
    const watch = createWatch({ detectors: [staleRounds()] });
    for (const event of events) {
      const verdict = watch.observe(event);
      const certain = verdict.status === 'clear' ? undefined : verdict.findings.find(({ kind }) => kind !== 'stall');
      if (certain) return certain;
    }
    return undefined;
  };

  test('is sure at the third result of a call refused for a reason, and names the first repeat as its onset', () => {
    expect(firstFinding(rejectedEdit.events)).toMatchObject({
      kind: 'repeated-failure',
      seq: 6,
      onset: 3,
      tools: ['edit'],
    });
  });

  test('finds every period up to 16 by the end of the third round', () => {
    const word = (k: number) =>
      (Math.imul(k + 1, 2_654_435_761) >>> 0).toString(32).replace(/\d/g, (d) => 'wxyzabcdef'[+d]!);
    const texts = Array.from({ length: 16 }, (_, k) =>
      Array.from({ length: 12 }, (_, n) => word(12 * k + n)).join(' '),
    );
    for (let period = 2; period <= 16; period++) {
      const cycle = session().repeat(3, (s) =>
        s.repeat(period, (inner, k) => inner.call('read', { path: `${k}` }).result(texts[k]!)),
      );
      const found = firstFinding(cycle.events);
      expect(found, `period ${period}`).toMatchObject({ kind: 'cycle' });
      expect(found!.onset - (found!.onset % (2 * period)), 'in the second round').toBe(2 * period);
      expect(found!.seq).toBeLessThan(6 * period);
    }
  });

  test('waits longer for rounds that prove less, and no longer for a look that shows nothing', () => {
    const rounds = (make: (s: ReturnType<typeof session>) => ReturnType<typeof session>) =>
      ((firstFinding(session().repeat(20, make).events)?.seq ?? -1) + 1) / 2;
    expect(
      rounds((s) => s.call('read', { path: 'a' }).result('the contents of the file, all forty-odd characters')),
    ).toBe(3);
    expect(rounds((s) => s.call('read', { path: 'a' }).result('[]'))).toBe(3);
    expect(rounds((s) => s.call('bash', { command: 'make' }).result('ok'))).toBe(6);
    expect(rounds((s) => s.call('fetch', { url: 'x' }).fails('HTTP 503 Service Unavailable'))).toBe(8);
    expect(rounds((s) => s.call('bash', { command: 'make' }).fails('Exit code 2'))).toBe(4);
  });

  test('says so where it cannot see results', () => {
    const blind = session().repeat(8, (s) => s.turn().call('read', { path: 'a' }));
    expect(firstFinding(blind.events)).toMatchObject({
      confidence: expect.closeTo(0.6, 5),
      evidence: { unseen: true, times: 3 },
    });
  });

  test('names the calls of a cycle, in a sentence', () => {
    const { explain } = createWatch({ detectors: [staleRounds()] });
    expect(explain(firstFinding(pingPong.events)!)).toBe(
      'The same 2 calls, open (src/main.ts) and grep (begin), went round 3 times, with the same result each time.',
    );
    expect(explain(firstFinding(rejectedEdit.events)!)).toBe(
      'The call edit (a.ts) was made 3 times in a row, with the same failure each time.',
    );
  });

  test('counts all rounds of a long loop, and knows where it began', () => {
    const long = session().repeat(100, (s) => s.call('open', { path: 'x' }).fails('Error: there is no such file'));
    const watch = createWatch({ detectors: [staleRounds()] });
    const last = long.events.map((event) => watch.observe(event)).at(-1)!;
    expect(last).toMatchObject({ findings: [{ onset: 2, evidence: { times: 100 }, waste: { calls: 99 } }] });
  });
});
