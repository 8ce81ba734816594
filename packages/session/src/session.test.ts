import { hostileObjects, poisoned, poisons } from '@loopfuse/testkit';
import fc from 'fast-check';
import { type AgentEvent, ladder, type Policy, unattended } from 'loopfuse';
import { budget } from 'loopfuse/detectors';
import { describe, expect, test, vi } from 'vitest';
import {
  callAction,
  createSessions,
  guardTurn,
  LoopError,
  openSession,
  type Session,
  type SessionOptions,
  said,
} from './index.js';

const decided = (session: Session, id: string) => {
  const decision = session.call({ id, tool: 'read_file', input: { path: 'a.ts' } });
  session.result({ id, output: 'the same' });
  return decision;
};
const round = (session: Session, id: string) => decided(session, id).type;
const rounds = (session: Session, times: number) => Array.from({ length: times }, (_, k) => round(session, `${k}`));
const always =
  (type: 'rewind' | 'escalate'): Policy =>
  ({ findings, advice }) =>
    type === 'rewind' ? { type, from: findings[0].onset, note: advice, findings } : { type, findings };
const texts = (session: Session, length: number) => session.history(Array(length).fill('…'), (text) => text);

describe('a session', () => {
  test('steers, refuses and stops, and says why in its error', () => {
    const onStop = vi.fn();
    const session = openSession({ onStop });
    expect(rounds(session, 5)).toEqual(['allow', 'allow', 'allow', 'block', 'stop']);
    expect(session.error).toBeInstanceOf(LoopError);
    expect(session.error?.findings[0]).toMatchObject({ kind: 'repeated-calls', tools: ['read_file'] });
    expect(onStop).toHaveBeenCalledOnce();
    session.observe({ type: 'prompt', text: 'Something else.' });
    expect(session.error).toBeUndefined();
  });

  test('answers the same about the same call, and takes a result once', () => {
    const session = openSession();
    rounds(session, 3);
    const call = { id: 'x', tool: 'read_file', input: { path: 'a.ts' } };
    expect([session.call(call).type, session.call(call).type]).toEqual(['block', 'block']);
    for (let k = 0; k < 9; k++) session.result({ id: 'unknown', output: 'the same' });
    expect(session.guard.circuit).toMatchObject({ state: 'probation', trips: 2 });
  });

  test('puts a message for the model into the next request, and into every one after it', () => {
    const session = openSession();
    rounds(session, 3);
    expect(session.waiting).toBe(true);
    expect(texts(session, 2).slice(0, 2)).toEqual(['…', '…']);
    expect(texts(session, 4)[2]).toMatch(/^\[Loop guard\] The call read_file/);
    expect(session.waiting).toBe(false);
  });

  test('an escalation that nobody takes becomes a message', () => {
    const taken = openSession({ policy: always('escalate') });
    rounds(taken, 3);
    expect([taken.takeEscalation(), taken.takeEscalation(), texts(taken, 1).length]).toEqual([true, false, 1]);
    const session = openSession({ policy: always('escalate') });
    rounds(session, 3);
    expect(session.takeMessages()).toEqual([expect.stringContaining(said(''))]);
  });

  test('a rewind takes the repeated rounds out of the next request', () => {
    const session = openSession({ policy: always('rewind') });
    const history = ['prompt'];
    for (let k = 0; k < 3; k++) {
      session.history(history, String);
      session.startTurn();
      round(session, `${k}`);
      history.push(`call ${k}`, `result ${k}`);
    }
    expect(session.history(history, () => 'note')).toEqual(['prompt', 'call 0', 'result 0', 'note']);
  });

  test('goes on from a snapshot as it would have', () => {
    for (let cut = 0; cut <= 6; cut++) {
      const live = openSession();
      rounds(live, cut);
      const resumed = openSession({ snapshot: JSON.parse(JSON.stringify(live.snapshot())) });
      expect(rounds(resumed, 6)).toEqual(rounds(live, 6));
      expect(resumed.error?.message).toEqual(live.error?.message);
    }
  });

  test('an answer that was cut short, and a request that failed, are known where the session goes on', () => {
    const live = openSession({ policy: ladder({ steers: 99 }) });
    rounds(live, 2);
    live.call({ id: 'x', tool: 'read_file', input: { path: 'a.ts' } });
    const told = live.result({ id: 'x', output: 'the same' });
    expect([1, 2, 3].map(() => live.output(told))).toEqual(['again', 'again', 'again']);
    live.failTurn();
    const resumed = openSession({ snapshot: JSON.parse(JSON.stringify(live.snapshot())) });
    const seen = seenBy(resumed);
    resumed.startTurn();
    expect(seen).toEqual(['retry']);
    expect([1, 2].map(() => resumed.output(told))).toEqual(['again', 'go-on']);
  });

  test('a request that failed is known when it is sent again; another one after it is a new one', async () => {
    const session = openSession();
    const asked = async (length: number, ...prompts: string[]) => {
      const seen = seenBy(session);
      await session.request(
        prompts.map((text) => ({ type: 'prompt', text })),
        length,
      );
      session.startTurn();
      session.failTurn();
      vi.restoreAllMocks();
      return seen;
    };
    expect(await asked(2, 'the page', 'What does it say?')).toEqual(['prompt', 'prompt', 'turn-start']);
    expect(await asked(2, 'the page', 'What does it say?')).toEqual(['retry']);
    expect(await asked(1, 'Something else.')).toEqual(['prompt', 'turn-start']);
    expect(await asked(3, 'Something else.')).toEqual(['prompt', 'turn-start']);
    expect(await asked(5)).toEqual(['retry']);
    // Begun anew after its second round was broken off.
    expect(await asked(3, 'Something else.')).toEqual(['prompt', 'turn-start']);
  });

  test('whatever became of a snapshot, the session opens and works', () => {
    const live = openSession({ policy: ladder({ steers: 9 }) });
    rounds(live, 4);
    rounds(live.in('one'), 3);
    live.call({ id: 'open', tool: 'read_file', input: { path: 'b.ts' } });
    const saved = JSON.parse(JSON.stringify(live.snapshot()));
    fc.assert(
      fc.property(poisons(), (poison) => {
        const session = openSession({ snapshot: poisoned(saved, poison) as never });
        for (const lane of [session, session.in('one')]) {
          for (const id of ['open', 'new']) expect(typeof callAction(decided(lane, id)).type).toBe('string');
          lane.history(['a'], (text) => text);
        }
        JSON.stringify(session.snapshot());
      }),
      { numRuns: 500 },
    );
    for (const calls of [[7], [['open']], [['open', { type: 'banana' }]], { length: 3 }] as never[]) {
      const session = openSession({ snapshot: { ...saved, lanes: [{ lane: '', calls }] } });
      expect(session.call({ id: 'open', tool: 'list', input: {} })).toEqual({ type: 'allow' });
    }
  });

  test('a snapshot of a snapshot has all lanes, with the waiting messages and who takes the turn', () => {
    const live = openSession({ policy: always('escalate') });
    rounds(live.in('one'), 3);
    live.in('two').tell('Look elsewhere.');
    const once = openSession({ snapshot: JSON.parse(JSON.stringify(live.snapshot())) });
    const twice = openSession({ snapshot: JSON.parse(JSON.stringify(once.snapshot())) });
    expect(twice.in('one').takeEscalation()).toBe(true);
    expect(twice.in('two').takeMessages()).toEqual([said('Look elsewhere.')]);
  });

  test('with exitBehavior continue, what would be a stop is a refusal, for ever', () => {
    const session = openSession({ exitBehavior: 'continue' });
    const decisions = rounds(session, 30);
    expect(decisions.slice(0, 4)).toEqual(['allow', 'allow', 'allow', 'block']);
    expect(new Set(decisions.slice(3))).toEqual(new Set(['block']));
    expect(session.error).toBeUndefined();
  });

  test('watches each lane on its own, and stops them together', () => {
    const session = openSession({ policy: ladder({ steers: 0 }) });
    const [one, two] = [session.in('one'), session.in('two')];
    rounds(one, 2);
    rounds(two, 2);
    expect(session.error).toBeUndefined();
    round(one, 'third');
    expect([session.error?.findings[0]?.lane, two.error === session.error]).toEqual(['one', true]);
    expect(session.in('one')).toBe(one);
  });

  test('asks a person once for calls that wait beside each other', async () => {
    const onAsk = vi.fn(async () => ({ type: 'continue' }) as const);
    const session = openSession({ policy: ladder({ steers: 0, last: 'ask' }), onAsk });
    rounds(session, 3);
    const calls = ['x', 'y', 'z'].map((id) => session.call({ id, tool: 'read_file', input: {} }));
    expect(calls.map(({ type }) => type)).toEqual(['ask', 'ask', 'ask']);
    const settled = await Promise.all(calls.map((decision) => session.settle(decision)));
    expect(settled.map(({ type }) => type)).toEqual(['allow', 'allow', 'allow']);
    expect(onAsk).toHaveBeenCalledOnce();
  });

  test.each<[string, SessionOptions]>([
    ['onStop', { onStop: () => fail() }],
    ['onDecision', { onDecision: () => fail() }],
  ])('what %s throws is a fault, and the agent goes on', (where, options) => {
    const onFault = vi.fn();
    rounds(openSession({ ...options, onFault }), 5);
    expect(onFault.mock.calls.map(([fault]) => fault.where)).toContain(where);
  });

  test('a question to nobody ends the run', async () => {
    const onFault = vi.fn();
    const session = openSession({ policy: ladder({ steers: 0, last: 'ask' }), onAsk: () => fail(), onFault });
    rounds(session, 2);
    session.call({ id: 'x', tool: 'read_file', input: { path: 'a.ts' } });
    const settled = await session.settle(session.result({ id: 'x', output: 'the same' }));
    expect([settled.type, session.error?.decision.type]).toEqual(['stop', 'ask']);
    expect(onFault).toHaveBeenCalledOnce();
  });

  test('takes any value for an input or an output', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const onFault = vi.fn();
    const session = openSession({ onFault });
    for (const value of [circle, 1n, undefined, () => 1, new Date(Number.NaN), Symbol('x')]) {
      session.call({ id: 'x', tool: 'x', input: value as never });
      session.result({ id: 'x', output: value as never });
    }
    expect(onFault).not.toHaveBeenCalled();
  });

  test('tells results apart whose numbers no JSON holds, and takes any object at all', () => {
    const session = openSession({ policy: ladder({ steers: 0 }) });
    const jobs = 'fetch parse index merge rank store render notify archive'.split(' ');
    const polled = jobs.map((job, k) => {
      session.call({ id: `${k}`, tool: 'query', input: { sql: 'select * from jobs where state = 1' } });
      return session.result({ id: `${k}`, output: { rows: [{ id: BigInt(k), job }] } as never }).type;
    });
    expect(new Set(polled)).toEqual(new Set(['allow']));
    for (const value of Object.values(hostileObjects)) {
      session.call({ id: 'x', tool: 'x', input: value() as never });
      session.result({ id: 'x', output: value() as never });
    }
  });

  test('tells errors apart that are passed on as they were caught', () => {
    const session = openSession();
    const missing = ['the parser of dates', 'a comma in line three', 'write access to the cache', 'the module "left"'];
    missing.forEach((what, k) => {
      session.call({ id: `${k}`, tool: 'build', input: {} });
      session.result({ id: `${k}`, output: new Error(`expected ${what}`) as never, failed: true });
    });
    expect(session.guard.circuit.state).toBe('closed');
  });

  test('takes the default for an option that is undefined', () => {
    const session = openSession({ detectors: undefined, policy: undefined } as object);
    for (const id of ['1', '2', '3']) {
      session.call({ id, tool: 'read', input: {} });
      session.result({ id, output: 'ENOENT: no such file', failed: true });
    }
    expect(session.guard.circuit.state).toBe('probation');
  });

  test('refuses options that mean nothing', () => {
    expect(() => openSession({ exitBehavior: 'maybe' as never })).toThrow(
      /must be continue, end or error, got "maybe"/,
    );
    for (const exitBehavior of ['end', 'continue'] as const)
      expect(() => openSession({ exitBehavior, policy: 'stop' as never })).toThrow(/policy must be a function/);
    expect(() => createSessions({}, { most: 0 })).toThrow(/must be an integer of at least 1, got 0/);
  });
});

describe('a guarded turn', () => {
  const chant = 'I will check this once more, to be on the safe side. ';
  const stepsOf = async (session: Session, answers: readonly (readonly string[])[]) => {
    const steps: string[] = [];
    let asked = 0;
    const turn = guardTurn<string>(session, {
      approves: false,
      ask: () => answers[asked++] ?? [],
      read: (text) => [{ type: 'text', text }],
    });
    for await (const step of turn) if (step.type !== 'part') steps.push(step.type);
    return { steps, asked };
  };

  test('an answer that chants is asked for again, and then the run ends', async () => {
    const chants = Array(9).fill(Array(40).fill(chant));
    expect(await stepsOf(openSession({ policy: unattended }), chants)).toEqual({
      steps: ['again', 'again', 'end'],
      asked: 3,
    });
  });

  test('who stops reading closes the answer of the model', async () => {
    const closed = vi.fn();
    async function* answer() {
      try {
        for (;;) yield 'more';
      } finally {
        closed();
      }
    }
    const read = (text: string) => [{ type: 'text', text } as const];
    for await (const _ of guardTurn(openSession(), { approves: false, ask: answer, read })) break;
    expect(closed).toHaveBeenCalledOnce();
  });

  test('a policy that always steers is not followed for ever', async () => {
    const chants = Array(99).fill(Array(40).fill(chant));
    const { asked } = await stepsOf(openSession({ policy: ladder({ steers: 1_000 }) }), chants);
    expect(asked).toBe(5);
  });

  test('a person is asked about a call where the SDK cannot do it', async () => {
    const onAsk = vi.fn(async () => ({ type: 'continue' }) as const);
    const session = openSession({ policy: ladder({ steers: 1, last: 'ask' }), onAsk });
    rounds(session, 3);
    const call = { type: 'tool-call', id: 'x', tool: 'read_file', input: { path: 'a.ts' } } as const;
    const steps: string[] = [];
    for await (const step of guardTurn(session, { approves: false, ask: () => [call], read: (part) => [part] }))
      steps.push(step.type);
    expect([steps, onAsk.mock.calls.length, session.error]).toEqual([['part'], 1, undefined]);
  });

  test('a question waits for a call that the SDK can put to a person; about a text there is none, and the run ends', async () => {
    const policy = ladder({ steers: 0, last: 'ask' });
    const session = openSession({ policy });
    rounds(session, 3);
    const call = { type: 'tool-call', id: 'x', tool: 'read_file', input: { path: 'a.ts' } } as const;
    const said = { type: 'text', text: 'Once more.' } as const;
    const steps: string[] = [];
    for await (const step of guardTurn(session, {
      approves: true,
      ask: () => [said, call, said],
      read: (part) => [part],
    }))
      steps.push(step.type);
    expect([steps, session.error, session.call(call).type]).toEqual([['part', 'part', 'part'], undefined, 'ask']);

    const chanting = openSession({ policy });
    const chants = {
      approves: true,
      ask: () => Array(40).fill(chant),
      read: (text: string) => [{ type: 'text', text }] as const,
    };
    for await (const step of guardTurn<string>(chanting, chants)) steps.push(step.type);
    expect([steps.at(-1), chanting.error?.decision.type]).toEqual(['end', 'ask']);
  });

  test('an answer that is whole is kept, though it has cost too much: the message goes with the next request', async () => {
    const used = { type: 'usage', inputTokens: 900, outputTokens: 200 } as const;
    const play = async (policy: Policy, approves: boolean) => {
      const session = openSession({ detectors: [budget({ hard: { tokens: 1000 } })], policy });
      const ask = vi.fn(() => [{ type: 'text', text: 'Done.' } as const, used]);
      const steps: string[] = [];
      for await (const step of guardTurn<AgentEvent>(session, { approves, ask, read: (part) => [part] }))
        steps.push(step.type);
      return { steps, asked: ask.mock.calls.length, error: session.error, waiting: session.waiting };
    };
    const kept = { steps: ['part', 'part'], asked: 1, error: undefined };
    expect(await play(ladder({ steers: 1 }), false)).toEqual({ ...kept, waiting: true });
    expect(await play(ladder({ steers: 0, last: 'ask' }), true)).toEqual({ ...kept, waiting: false });
  });

  test('a failed request is reported as a retry', async () => {
    const session = openSession();
    const seen = seenBy(session);
    const ask = vi.fn(() => ['fine']).mockImplementationOnce(() => fail());
    const read = (text: string) => [{ type: 'text', text }] as const;
    await expect(guardTurn(session, { approves: false, ask, read }).next()).rejects.toThrow('on purpose');
    for await (const _ of guardTurn(session, { approves: false, ask, read }));
    expect(seen).toEqual(['turn-start', 'retry', 'text', 'turn-end']);
  });
});

describe('sessions', () => {
  test('are found again by their id or object, and the oldest are forgotten', () => {
    const sessions = createSessions({}, { most: 2 });
    const [a, key] = [sessions.get('a'), {}];
    expect(sessions.get('a')).toBe(a);
    expect(sessions.get(key)).toBe(sessions.get(key));
    sessions.get('b');
    sessions.get('c');
    expect(sessions.get('a')).not.toBe(a);
    sessions.delete('a');
  });
});

/** The types of the events that the guard sees from now on. */
function seenBy({ guard }: Session): string[] {
  const seen: string[] = [];
  const observe = guard.observe;
  vi.spyOn(guard, 'observe').mockImplementation((event) => {
    seen.push(event.type);
    return observe(event);
  });
  return seen;
}

function fail(): never {
  throw new Error('on purpose');
}
