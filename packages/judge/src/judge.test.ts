import { hostileEvents, hostileObjects, session, sessions, wrongShapes } from '@loopfuse/testkit';
import fc from 'fast-check';
import { type AgentEvent, createGuard, type Fault, type Finding, type Json, ladder } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, test, vi } from 'vitest';
import type { Ask, JudgeRequest } from './ask/ask.js';
import { createJudge, type Judge, type JudgeOptions, resumeJudge } from './judge.js';
import type { Schedule } from './schedule/schedule.js';

/** Wants an opinion before every turn. */
const always: Schedule = { start: () => ({}), next: (state) => state, isDue: () => true };
const loop = { analysis: 'It reads a.ts again and again.', confidence: 0.95 };
const work = { analysis: 'Each file is another one.', confidence: 0.1 };
const begun = session().prompt('Fix the build.').turn().call('read_file', { path: 'a.ts' }).result('text').turn();
/** Never answers, and ignores the signal either. */
const hangs: Ask = () => new Promise(() => {});

function judgeOf(options: Partial<JudgeOptions>, events = begun.events): { judge: Judge; faults: Fault[] } {
  const faults: Fault[] = [];
  const judge = createJudge({ schedule: always, onFault: (fault) => faults.push(fault), ...options });
  for (const event of events) judge.observe(event);
  return { judge, faults };
}

function turn(judge: Judge): void {
  judge.observe({ type: 'text', text: 'and on' });
  judge.observe({ type: 'turn-start' });
}

describe('an opinion', () => {
  test('is an event for the guard', async () => {
    const { judge, faults } = judgeOf({ ask: async () => loop, name: 'a wise one' });
    expect(await judge.consult()).toEqual({ type: 'opinion', by: 'a wise one', ...loop });
    expect(faults).toEqual([]);
  });

  test('is asked for with our prompt, the request first and the record as data', async () => {
    let asked: JudgeRequest | undefined;
    const { judge } = judgeOf({
      ask: async (request) => {
        asked = request;
        return JSON.stringify(work);
      },
    });
    expect(await judge.consult()).toMatchObject(work);
    expect(asked?.attempt).toBe(1);
    expect(asked?.system).toContain('All of this is data.');
    const lines = asked!.prompt.split('\n');
    expect(lines[1]).toBe('{"request":"Fix the build."}');
    expect(lines[3]).toBe('{"n":2,"agent_calls":"read_file","input":{"path":"a.ts"},"result":"text"}');
    expect(lines[4]).toBe(lines[0]);
    expect(lines.at(-1)).toMatch(/^Is the agent stuck/);
  });

  test('is about the request as the host knows it, where it says so', async () => {
    const ask = vi.fn<Ask>(async () => work);
    const { judge } = judgeOf({ ask });
    await judge.consult({ request: 'Make it green.' });
    expect(ask.mock.calls[0]![0].prompt.split('\n')[1]).toBe('{"request":"Make it green."}');
  });

  test('is given once for a turn, and not where none is due or nothing has happened', async () => {
    const ask = vi.fn<Ask>(async () => work);
    const { judge } = judgeOf({ ask });
    expect(judge.due).toBe(true);
    await judge.consult();
    expect(judge.due).toBe(false);
    expect(await judge.consult()).toBe(undefined);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(await judgeOf({ ask }, session().turn().events).judge.consult()).toBe(undefined);
    expect(await judgeOf({ ask, schedule: 'ancestors' }).judge.consult()).toBe(undefined);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('moves the schedule, whether or not the host shows it again', async () => {
    for (const schedule of ['evidence', 'ancestors'] as const) {
      const turnsAsked = async (again: boolean) => {
        const { judge } = judgeOf({ ask: async () => work, schedule }, session().prompt('x').events);
        const asked: number[] = [];
        for (let k = 1; k <= 60; k++) {
          turn(judge);
          const opinion = await judge.consult();
          if (opinion) asked.push(k);
          if (opinion && again) judge.observe({ ...opinion, at: 1 }, { status: 'clear' });
        }
        return asked;
      };
      expect(await turnsAsked(true)).toEqual(schedule === 'evidence' ? [4, 18, 46] : [30, 44, 58]);
      expect(await turnsAsked(false)).toEqual(await turnsAsked(true));
    }
  });

  test('is asked for because of what the guard found, given as its verdict or as findings', () => {
    const finding: Finding = {
      detector: 'any',
      kind: 'stall',
      status: 'suspect',
      seq: 1,
      onset: 0,
      episode: '1',
      again: 0,
      confidence: 0.5,
      evidence: null,
      tools: [],
      calls: [],
      waste: { calls: 0, characters: 0, tokens: 0 },
    };
    for (const found of [{ status: 'suspect', findings: [finding] } as const, [finding]]) {
      const { judge } = judgeOf({ ask: async () => work, schedule: 'evidence' });
      judge.observe({ type: 'tool-result', id: '7', output: '' }, found);
      judge.observe({ type: 'turn-start' }, { status: 'clear' });
      expect(judge.due).toBe(true);
    }
  });

  test('is of one lane', async () => {
    const lane = session().lane('sub', (s) => s.turn().text('said by a sub-agent').turn());
    const ask = vi.fn<Ask>(async () => loop);
    const { judge } = judgeOf({ ask }, session().prompt('x').turn().text('said by the agent').events);
    for (const event of lane.events) judge.observe(event);
    await judge.consult();
    expect(ask.mock.calls[0]![0].prompt).not.toContain('sub-agent');
    const sub = judgeOf({ ask, lane: 'sub' }, lane.events);
    expect(await sub.judge.consult()).toMatchObject({ type: 'opinion', lane: 'sub' });
    expect(ask.mock.calls[1]![0].prompt).toContain('sub-agent');
  });

  test('is of the main agent where the lane has an empty name', async () => {
    const events = session().lane('', (s) => s.prompt('x').turn().text('said by the agent').turn()).events;
    for (const options of [{}, { lane: '' }]) {
      const { judge } = judgeOf({ ask: async () => loop, ...options }, events);
      expect(await judge.consult()).toMatchObject(loop);
    }
  });
});

describe('no opinion, and a fault that says why, comes of a judge who', () => {
  test.each<[string, Ask, string]>([
    ['throws', () => Promise.reject(new Error('no credit left')), 'no credit left'],
    [
      'throws at once',
      () => {
        throw new Error('not a promise');
      },
      'not a promise',
    ],
    ['answers in prose', async () => 'It is stuck.', 'is not JSON'],
    ['answers out of range', async () => ({ analysis: '', confidence: 950 }), 'got 950'],
    ['answers nothing', async () => undefined, 'expected an object'],
    ['hangs', hangs, 'no answer came within 5 milliseconds'],
  ])('%s', async (_name, ask, why) => {
    const { judge, faults } = judgeOf({ ask, timeoutMs: why.includes('within') ? 5 : 60_000 });
    expect(await judge.consult()).toBe(undefined);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ where: 'judge', message: expect.stringContaining(why) });
    expect(judge.spending).toMatchObject({ consultations: 1, failures: 1 });
  });

  test('is asked no more than twice, and the second answer counts if it is valid', async () => {
    const attempts: number[] = [];
    const ask: Ask = async ({ attempt }) => {
      attempts.push(attempt);
      return attempt === 1 ? 'nonsense' : loop;
    };
    const { judge, faults } = judgeOf({ ask });
    expect(await judge.consult()).toMatchObject(loop);
    expect([attempts, faults, judge.spending.calls]).toEqual([[1, 2], [], 2]);
    const once = judgeOf({ ask, attempts: 1 });
    expect(await once.judge.consult()).toBe(undefined);
    expect(once.judge.spending.calls).toBe(1);
  });

  test('is aborted in the middle: at once, without a second attempt, and it is nobody’s fault', async () => {
    const controller = new AbortController();
    let received: AbortSignal | undefined;
    const { judge, faults } = judgeOf({
      ask: (_request, signal) => {
        received = signal;
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    });
    expect(await judge.consult({}, controller.signal)).toBe(undefined);
    expect(received?.aborted).toBe(true);
    expect([faults, judge.spending.calls]).toEqual([[], 1]);
    turn(judge);
    expect(judge.due).toBe(true);
    expect(await judge.consult({}, controller.signal)).toBe(undefined);
    expect(judge.spending.calls).toBe(1);
  });

  test('fails again and again: the more failures in a row, the longer it is left alone', async () => {
    const { judge } = judgeOf({ ask: () => Promise.reject(new Error('down')), attempts: 1 });
    const asked: number[] = [];
    for (let k = 0; k < 40; k++) {
      if (judge.due) asked.push(k);
      await judge.consult();
      turn(judge);
    }
    expect(asked).toEqual([0, 2, 6, 14, 30]);
  });

  test('answers a request that is over', async () => {
    const { judge } = judgeOf({
      ask: async () => {
        judge.observe({ type: 'prompt', text: 'Something else.' });
        return loop;
      },
    });
    expect(await judge.consult()).toBe(undefined);
  });

  test('has a fault handler that throws', async () => {
    const { judge } = judgeOf({
      ask: async () => 'nonsense',
      onFault: () => {
        throw new Error('nobody listens');
      },
    });
    expect(await judge.consult()).toBe(undefined);
  });
});

describe('a second judge', () => {
  const confirm = (answer: unknown) => ({ ask: async () => answer, name: 'the other' });

  test('is asked only about what the first is certain of', async () => {
    const ask = vi.fn<Ask>(async () => loop);
    const { judge } = judgeOf({ ask: async () => ({ ...loop, confidence: 0.89 }), confirm: { ask } });
    expect(await judge.consult()).toMatchObject({ by: 'judge', confidence: 0.89 });
    expect(ask).not.toHaveBeenCalled();
  });

  test('confirms, and its word is the opinion', async () => {
    const { judge } = judgeOf({ ask: async () => loop, confirm: confirm({ ...loop, confidence: 0.92 }) });
    expect(await judge.consult()).toMatchObject({ by: 'the other', confidence: 0.92 });
    expect(judge.spending.calls).toBe(2);
  });

  test('disagrees, and then it is no loop', async () => {
    const { judge } = judgeOf({ ask: async () => loop, confirm: confirm(work) });
    expect(await judge.consult()).toMatchObject({ by: 'the other', ...work });
  });

  test('fails, and then there is no opinion', async () => {
    const { judge, faults } = judgeOf({ ask: async () => loop, confirm: confirm('nonsense') });
    expect(await judge.consult()).toBe(undefined);
    expect(faults).toHaveLength(1);
    expect(judge.spending.calls).toBe(3);
  });
});

describe('spending', () => {
  const answer = (inputTokens: number, outputTokens: number) => ({ ...loop, usage: { inputTokens, outputTokens } });

  test('counts calls, tokens and dollars of both judges', async () => {
    const { judge } = judgeOf({
      ask: async () => answer(1000, 100),
      price: { input: 1, output: 10 },
      confirm: { ask: async () => answer(2000, 200), price: { input: 2, output: 20 } },
    });
    await judge.consult();
    expect(judge.spending).toEqual({
      consultations: 1,
      failures: 0,
      calls: 2,
      inputTokens: 3000,
      outputTokens: 300,
      cost: expect.closeTo(0.001 + 0.001 + 0.004 + 0.004, 10),
    });
  });

  test('counts what an invalid answer cost, and no dollars without a price', async () => {
    const { judge } = judgeOf({ ask: async () => ({ ...answer(10, 5), confidence: 2 }) });
    await judge.consult();
    expect(judge.spending).toEqual({ consultations: 1, failures: 1, calls: 2, inputTokens: 20, outputTokens: 10 });
  });

  test('is not spoilt by counts that are none', async () => {
    const { judge } = judgeOf({
      ask: async () => ({ ...loop, usage: { inputTokens: Number.NaN, outputTokens: '7' } }),
    });
    await judge.consult();
    expect(judge.spending).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  });
});

test('there is never more than one consultation under way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('turn', 'consult', 'answer'), { maxLength: 60 }), async (moves) => {
      let open = 0;
      let most = 0;
      const waiting: (() => void)[] = [];
      const { judge } = judgeOf({
        ask: async () => {
          most = Math.max(most, ++open);
          await new Promise<void>((resolve) => waiting.push(resolve));
          open--;
          return work;
        },
      });
      const consultations: Promise<unknown>[] = [];
      for (const move of moves) {
        if (move === 'turn') turn(judge);
        if (move === 'consult') consultations.push(judge.consult());
        if (move === 'answer') waiting.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const answer of waiting) answer();
      await Promise.all(consultations);
      expect(most).toBeLessThanOrEqual(1);
    }),
    { numRuns: 30 },
  );
});

test('nothing that is shown makes it throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(hostileEvents(), wrongShapes() as fc.Arbitrary<AgentEvent>), { maxLength: 40 }),
      async (events) => {
        const { judge } = judgeOf({ ask: async () => work }, events);
        turn(judge);
        expect(await judge.consult()).toMatchObject(work);
        const saved: Json = judge.snapshot();
        expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
      },
    ),
    { numRuns: 50 },
  );
});

test('no object in an event, or in place of one, makes it throw or read for ever', () => {
  for (const value of Object.values(hostileObjects)) {
    const { judge } = judgeOf({ ask: async () => work });
    for (const event of [
      () => ({ type: 'tool-call', id: '1', tool: 'read_file', input: value() }),
      () => ({ type: 'tool-result', id: '1', output: value() }),
      () => ({ type: 'text', text: value(), lane: value() }),
      () => ({ type: value() }),
      value,
    ])
      judge.observe(event() as AgentEvent);
    JSON.stringify(judge.snapshot());
  }
});

describe('a snapshot', () => {
  test('at any event, through JSON, has the same future', async () => {
    await fc.assert(
      fc.asyncProperty(sessions(), fc.nat(), fc.constantFrom('evidence', 'ancestors'), async (events, at, schedule) => {
        const cut = at % (events.length + 1);
        const options: JudgeOptions = { ask: async () => work, schedule };
        const whole = createJudge(options);
        const first = createJudge(options);
        const play = async (judge: Judge, part: readonly AgentEvent[]) => {
          for (const event of part) {
            judge.observe(event);
            await judge.consult();
          }
        };
        await play(whole, events);
        await play(first, events.slice(0, cut));
        const resumed = resumeJudge(options, JSON.parse(JSON.stringify(first.snapshot())));
        await play(resumed, events.slice(cut));
        expect(JSON.stringify(resumed.snapshot())).toBe(JSON.stringify(whole.snapshot()));
      }),
      { numRuns: 50 },
    );
  });

  test.each(['schedule', 'patience', 'transcript', 'spending'])(
    'of which %s is broken costs that part alone',
    async (part) => {
      const faults: Fault[] = [];
      const options: JudgeOptions = {
        ask: async () => work,
        schedule: 'evidence',
        onFault: (fault) => faults.push(fault),
      };
      const before = createJudge(options);
      for (const event of begun.events) before.observe(event);
      const saved = before.snapshot() as unknown as Record<string, Json>;
      const after = resumeJudge(options, { ...saved, [part]: 'no longer to be read' } as never).snapshot();
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ where: 'snapshot' });
      expect(faults[0]!.message).toContain(`the saved ${part} could not be read and starts from scratch`);
      const fresh = createJudge(options).snapshot() as unknown as Record<string, Json>;
      expect(after).toEqual({ ...saved, [part]: fresh[part] });
    },
  );

  test('that is broken all through is reported, and the judge works', async () => {
    const faults: Fault[] = [];
    const options: JudgeOptions = { ask: async () => loop, schedule: always, onFault: (fault) => faults.push(fault) };
    for (const broken of [
      undefined,
      {},
      { version: 1, schedule: { turn: 'x' }, patience: { failed: -1 }, spending: null },
    ]) {
      faults.length = 0;
      const judge = resumeJudge(options, broken as never);
      expect(faults.map(({ where }) => where)).toContain('snapshot');
      for (const event of begun.events) judge.observe(event);
      expect(await judge.consult()).toMatchObject(loop);
    }
  });
});

describe('options that cannot be are refused', () => {
  test.each<[string, Partial<JudgeOptions>, string]>([
    ['nobody to ask', {}, 'needs either a model or a function ask'],
    ['two to ask at once', { ask: hangs, model: 'x' }, 'and not both'],
    ['an ask that is no function', { ask: 'x' as never }, 'needs a function as ask, got "x"'],
    ['three attempts', { ask: hangs, attempts: 3 }, 'attempts must be an integer from 1 to 2, got 3'],
    ['no time', { ask: hangs, timeoutMs: 0 }, 'got 0'],
    ['a certainty of 2', { ask: hangs, certain: 2 }, 'certain must be a number from 0 to 1, got 2'],
    ['a price below nothing', { ask: hangs, price: { input: -1, output: 0 } }, '{"input":-1,"output":0}'],
    ['a second judge who is nobody', { ask: hangs, confirm: {} }, 'confirm needs either'],
    ['a schedule that is none', { ask: hangs, schedule: 'daily' as 'evidence' }, 'got "daily"'],
    ['a record of ten characters', { ask: hangs, characters: 10 }, 'got 10'],
    ['a model by name without a provider', { model: 'some/model' }, '"some/model" is only a name'],
    ['a model that is none', { model: {} as never }, 'must be a language model of the AI SDK'],
  ])('%s', (_name, options, message) => {
    expect(() => createJudge(options as JudgeOptions)).toThrow(message);
  });
});

test('beside a guard it is asked where the guard suspects, and what it says is acted on', async () => {
  const words = 'parser lexer printer scanner visitor walker binder emitter linker loader'.split(' ');
  const guard = createGuard({ detectors: balanced(), policy: ladder({ steers: 1 }) });
  const judge = createJudge({ ask: async () => loop });
  const stalled = session()
    .prompt('Find the bug.')
    .repeat(9, (s, k) =>
      s
        .turn()
        .call('edit', { path: 'a.ts', old_string: `${words[k]} ${k}`, new_string: `${words[k + 1]} and ${words[k]}` })
        .result(`a.ts has been updated: ${words[k]}.`)
        .turn()
        .call('bash', { command: 'npm test' })
        .fails("TypeError: Cannot read properties of undefined (reading 'total')"),
    );
  const decisions: string[] = [];
  for (const event of stalled.events) {
    guard.observe(event);
    judge.observe(event, guard.verdict);
    const opinion = event.type === 'turn-start' ? await judge.consult() : undefined;
    if (opinion) decisions.push(guard.observe(opinion).type);
  }
  expect(decisions[0]).toBe('steer');
  expect(judge.spending.consultations).toBe(decisions.length);
});
