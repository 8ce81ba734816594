import {
  hostileEvents,
  hostileObjects,
  interleave,
  poisoned,
  poisons,
  type Session,
  session,
  sessions,
  wrongShapes,
} from '@loopfuse/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Detector, defineDetector } from './detector.js';
import { budget, chanting, opinion } from './detectors/index.js';
import type { AgentEvent, Json } from './event.js';
import type { Fault } from './fault.js';
import type { Finding } from './finding.js';
import { createGuard, type Guard, type GuardOptions, type GuardSnapshot, type Release, resumeGuard } from './guard.js';
import { interactive, shadow, unattended } from './policies.js';
import { type Decision, decisionLike, ladder, shadowOf } from './policy.js';
import { balanced } from './presets/balanced.js';
import { geminiCli } from './presets/gemini-cli.js';
import { createWatch } from './watch/watch.js';

const isDecision = (value: unknown) => decisionLike(value, 'it') === undefined;

/** Sees a call that brings the same answer the third time in a row, and every time after. */
const sameAnswer = defineDetector<
  'step' | 'prompt',
  { call: number; outcome: number; times: number; onset: number },
  { times: number }
>({
  name: 'same-answer',
  reads: ['step', 'prompt'],
  start: () => ({ call: 0, outcome: 0, times: 0, onset: 0 }),
  observe(state, reading) {
    if (reading.type === 'prompt') {
      state.times = 0;
      return undefined;
    }
    const { call, outcome, tool, callSeq } = reading;
    if (call !== state.call || outcome !== state.outcome) Object.assign(state, { call, outcome, times: 0 });
    if (++state.times === 2) state.onset = callSeq;
    if (state.times < 3) return undefined;
    const { times, onset } = state;
    return {
      kind: 'repeated-calls',
      status: 'looping',
      onset,
      confidence: 0.9,
      evidence: { times },
      tools: [tool],
      calls: [call],
    };
  },
  explain: ({ times }) => `The same call brought the same answer ${times} times.`,
});

/** Sees forty stutters in a row. */
const stutter = defineDetector<'text', { run: number; onset: number }, { times: number }>({
  name: 'stutter',
  reads: ['text'],
  start: () => ({ run: 0, onset: 0 }),
  observe(state, { text }, seq) {
    for (const character of text) {
      if (character !== '-') state.run = 0;
      else if (++state.run === 1) state.onset = seq;
    }
    if (state.run < 40) return undefined;
    return { kind: 'chanting', status: 'looping', onset: state.onset, confidence: 1, evidence: { times: state.run } };
  },
  explain: ({ times }) => `The same character came ${times} times.`,
});

const detectors = [sameAnswer, stutter];

function guarded(options: Partial<GuardOptions> = {}) {
  const faults: Fault[] = [];
  const guard = createGuard({ detectors, policy: unattended, onFault: (fault) => faults.push(fault), ...options });
  return { guard, faults, show: (events: Session | readonly AgentEvent[]) => typesOf(guard, events) };
}

function typesOf(guard: Guard, events: Session | readonly AgentEvent[]): string {
  return decisionsOf(guard, 'events' in events ? events.events : events)
    .map(({ type }) => type)
    .join(' ');
}

const decisionsOf = (guard: Guard, events: readonly AgentEvent[]): Decision[] =>
  events.map((event) => guard.observe(event));
const reads = (times: number, path = 'a') =>
  session().repeat(times, (s) => s.call('read_file', { path }).result('one'));
const inLane = (lane: string | undefined, events: readonly AgentEvent[]) =>
  lane === undefined ? events : events.map((event) => ({ ...event, lane }));
const listing = (times: number) => session().repeat(times, (s) => s.call('list', { path: 'a' }).result('one'));
const steps = (times: number) =>
  session().repeat(times, (s, k) => s.call('list', { path: `${k}` }).result(`file ${k}`));

describe('what a guard cannot be made of is refused, and the error says which option and why', () => {
  const detectors = balanced();
  test.each<[string, unknown]>([
    ['options must be of type object, got undefined', undefined],
    ['options.detectors must be a list of detectors, such as balanced(), got undefined', {}],
    ['options.detectors must be a list of detectors, such as balanced(), got a function', { detectors: balanced }],
    ['options.detectors[0] must be a detector, such as chanting()', { detectors: [chanting] }],
    ['options.detectors[0] must be a detector, such as chanting()', { detectors: [detectors] }],
    [`options.detectors[${detectors.length}] must be a detector`, { detectors: [...detectors, undefined] }],
    ['options.policy must be a function, such as interactive', { detectors, policy: 'unattended' }],
    ['options.policy must be a function, such as interactive', { detectors, policy: null }],
    ['options.recovery must be a non-negative integer, got "8"', { detectors, recovery: '8' }],
    ['options.recovery must be a non-negative integer, got NaN', { detectors, recovery: Number.NaN }],
    ['options.onFinding must be a function, got true', { detectors, onFinding: true }],
    ['options.onFault must be a function, got {}', { detectors, onFault: {} }],
    ['options.tools must be of type object, got ["bash"]', { detectors, tools: ['bash'] }],
    ['tools["bash"] must be of type object, got "poll"', { detectors, tools: { bash: 'poll' } }],
    ['tools["bash"].identity must be of type array', { detectors, tools: { bash: { identity: 'command' } } }],
    ['tools["bash"].effect must be read or write', { detectors, tools: { bash: { effect: 'wait' } } }],
    ['tools["bash"].exempt must be of type boolean', { detectors, tools: { bash: { exempt: 5n } } }],
  ])('%s', (message, options) => {
    expect(() => createGuard(options as GuardOptions)).toThrow(message);
    expect(() => resumeGuard(options as GuardOptions, createGuard({ detectors }).snapshot())).toThrow(message);
  });

  test('numbers as text are no numbers, and the error shows the quotes', () => {
    expect(() => chanting({ patience: '2' as never })).toThrow('must be a number from 0.1 to 100, got "2"');
    expect(() => ladder({ steers: '1' as never })).toThrow('must be an integer of at least 0, got "1"');
    expect(() => shadowOf('interactive' as never)).toThrow('shadowOf: policy must be a function, got "interactive"');
  });
});

describe('what is decided', () => {
  test('the agent works until a loop is seen; then the model is told, refused its next round, and stopped', () => {
    const { guard, show } = guarded();
    expect(
      show(
        session()
          .prompt()
          .add(...reads(2).events),
      ),
    ).toBe('allow allow allow allow allow');
    expect(guard.circuit).toEqual({ state: 'closed', trips: 0 });
    expect(show(reads(1))).toBe('allow steer');
    expect(guard.circuit).toMatchObject({ state: 'probation', trips: 1, because: [{ detector: 'same-answer' }] });
    expect(show(session().call('read_file', { path: 'a' }))).toBe('block');
    expect(show(session().call('read_file', { path: 'a' }))).toBe('stop');
    expect(guard.circuit.state).toBe('open');
  });

  test('the model is told what repeats, what it has cost, and what to do instead', () => {
    const told = (events: readonly AgentEvent[]) => {
      const decision = decisionsOf(guarded().guard, events).find(({ type }) => type === 'steer');
      return (decision as { message: string } | undefined)?.message;
    };
    const usage: AgentEvent = { type: 'usage', inputTokens: 500, outputTokens: 100 };
    const { events } = reads(3);
    expect(told(events)).toMatch(/^The same call brought the same answer 3 times\. (?!Spent)\S.+\.$/);
    // How often is said once: the calls of the waste are others, and beside it would contradict it.
    expect(
      told(events.flatMap((event): AgentEvent[] => (event.type === 'tool-result' ? [usage, event] : [event]))),
    ).toMatch(/^The same call brought the same answer 3 times\. Spent on it so far: 1,\d00 tokens\. \S.+\.$/);
  });

  test('with a person at hand, the person is asked', () => {
    const { guard, show } = guarded({ policy: interactive });
    expect(show(reads(3)).split(' ').at(-1)).toBe('steer');
    const decision = guard.observe({ type: 'tool-call', id: 'x', tool: 'read_file', input: { path: 'a' } });
    expect(decision).toMatchObject({
      type: 'ask',
      findings: [{ detector: 'same-answer' }],
      question: { choices: expect.arrayContaining(['exempt']) },
    });
  });

  test('an open circuit answers everything as it answered the loop, until a new request', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0 }) });
    show(reads(3));
    expect(show(session().text('But').call('list').result('x').turn())).toBe('stop stop stop stop');
    expect(show(session().prompt('Go on then.').call('list'))).toBe('allow allow');
    expect(guard.circuit).toEqual({ state: 'closed', trips: 0 });
  });

  test("the prompt of a sub-agent is no new request of the user's", () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0 }) });
    show(reads(3));
    expect(show(session().lane('helper', (s) => s.prompt('Look.')))).toBe('stop');
    expect(guard.circuit.state).toBe('open');
  });

  test('shadow never acts: whatever comes, all is allowed, nothing is halted, and every finding is that of a bare watch', () => {
    fc.assert(
      fc.property(sessions(), (events) => {
        const found: Finding[] = [];
        const { guard } = guarded({ policy: shadow, onFinding: (finding) => found.push(finding) });
        const bare = createWatch({ detectors });
        const expected = events.flatMap((event) => {
          expect(guard.observe(event).type).toBe('allow');
          expect(guard.circuit.state).not.toBe('open');
          const verdict = bare.observe(event);
          return verdict.status === 'clear' ? [] : verdict.findings;
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  test('shadow says at each trip what would have been done, up the whole ladder', () => {
    const { guard } = guarded({ policy: shadowOf(unattended) });
    const would = decisionsOf(guard, reads(5).events).map((decision) =>
      decision.type === 'allow' ? (decision.would?.type ?? '-') : decision.type,
    );
    expect(would.join(' ')).toBe('- - - - - steer block - stop -');
  });

  test('in the shadow a loop ends where the agent would have been halted, though a latch sees it at every event', () => {
    const options: GuardOptions = { detectors: geminiCli(), policy: shadow };
    const same = session()
      .prompt('go')
      .repeat(7, (s) => s.call('read_file', { path: 'a' }).result('one'));
    const after = session().repeat(20, (s) => s.text('And on. ').call('ls', { path: 'b' }).result('two'));
    const guard = createGuard(options);
    const before = decisionsOf(guard, same.events).filter((decision) => 'would' in decision);
    expect(before.length).toBeGreaterThan(1);
    expect(guard.circuit.trips).toBe(2); // told, then asked
    const resumed = resumeGuard(options, throughJson(guard.snapshot()));
    for (const one of [guard, resumed]) {
      expect(decisionsOf(one, after.events).filter((decision) => 'would' in decision).length).toBeGreaterThan(20);
      expect(one.circuit.trips).toBe(2);
      typesOf(one, session().prompt('again'));
      typesOf(one, same.events.slice(1));
      expect(one.circuit.trips).toBe(2);
      one.release({ type: 'continue' });
      typesOf(one, same.events.slice(1));
      expect(one.circuit.trips).toBe(3);
    }
  });

  test('an open circuit carries its decision, and the decision its findings', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0 }) });
    show(reads(3));
    const decision = guard.observe({ type: 'turn-start' });
    expect(guard.circuit).toEqual({ state: 'open', trips: 1, decision });
    expect(decision).toMatchObject({ type: 'stop', findings: [{ detector: 'same-answer', episode: '1' }] });
  });

  test('after a rewind the detectors know no more than the model: the loop must build up again, under probation', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, rewinds: 1 }) });
    const decision = decisionsOf(guard, reads(3).events).at(-1)!;
    expect(decision).toMatchObject({ type: 'rewind', from: 2, findings: [{ onset: 2 }] });
    expect(guard.circuit).toMatchObject({ state: 'probation', trips: 1 });
    expect(show(reads(2))).toBe('allow allow allow allow');
    expect(show(reads(1))).toBe('allow stop');
  });

  test('a rewind concerns the lane that loops, and no other', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, rewinds: 1 }) });
    show(session().lane('helper', (s) => s.add(...reads(2).events)));
    expect(show(reads(3)).endsWith('rewind')).toBe(true);
    const third = session().lane('helper', (s) => s.add(...reads(1).events));
    expect(show(third)).toBe('allow stop');
    expect(guard.circuit).toMatchObject({ decision: { findings: [{ lane: 'helper' }] } });
  });

  test('a call at which the context is rewound is not run, and its result is a message of ours', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 1, rewinds: 1 }) });
    show(reads(3));
    expect(guard.observe({ type: 'tool-call', id: 'x', tool: 'read_file', input: { path: 'a' } }).type).toBe('rewind');
    expect(guard.observe({ type: 'tool-result', id: 'x', output: 'Not run.' })).toEqual({ type: 'allow' });
    expect(guard.circuit).toMatchObject({ state: 'probation', clean: 0 });
  });

  test('after an escalation the agent goes on under probation, and the same call again is the next trip', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, escalations: 1 }) });
    expect(show(reads(3)).endsWith('escalate')).toBe(true);
    expect(guard.circuit).toMatchObject({ state: 'probation', trips: 1 });
    expect(show(session().call('read_file', { path: 'a' }))).toBe('stop');
  });

  test('shadow tells its findings', () => {
    const told: Finding[] = [];
    guarded({ policy: shadow, onFinding: (finding) => told.push(finding) }).show(reads(5));
    expect(told.map(({ again }) => again)).toEqual([0, 1, 2]);
  });

  test('after a steer, results of calls that were already under way are no fresh evidence', () => {
    const under = session().repeat(2, (s) => s.call('read_file', { path: 'a' }).result('one'));
    const batch = under.repeat(3, (s) => s.call('read_file', { path: 'a' })).repeat(3, (s) => s.result('one'));
    const { guard, show } = guarded();
    expect(show(batch)).toBe('allow allow allow allow allow allow allow steer allow allow');
    expect(guard.circuit).toMatchObject({ state: 'probation', trips: 1 });
  });

  test('the result of a call that was refused is a message of ours: neither evidence nor a sign of recovery', () => {
    const shown: Json[] = [];
    const spy = defineDetector({
      name: 'spy',
      reads: ['tool-result'],
      start: () => ({}),
      observe: (_, { output }) => void shown.push(output),
      explain: () => '',
    });
    const options: GuardOptions = { detectors: [...detectors, spy], policy: ladder({ steers: 5 }) };
    const guard = createGuard(options);
    typesOf(guard, reads(3));
    expect(typesOf(guard, session().call('read_file', { path: 'a' }))).toBe('block');
    const elsewhere = resumeGuard(options, throughJson(guard.snapshot()));
    for (const one of [guard, elsewhere]) {
      expect(one.observe({ type: 'tool-result', id: 'call-0', output: 'Refused.' })).toEqual({ type: 'allow' });
      expect(one.circuit).toMatchObject({ state: 'probation', trips: 2, clean: 0 });
      expect(typesOf(one, session().call('read_file', { path: 'a' }))).toBe('block');
    }
    expect(shown).toEqual(['one', 'one', 'one']);
  });

  test('after a steer, a result of a call that was already under way is no sign of recovery', () => {
    const { guard, show } = guarded({ recovery: 2 });
    const both = reads(2).call('read_file', { path: 'a' }).call('list').result('one');
    expect(show(both).endsWith('steer')).toBe(true);
    show([{ type: 'tool-result', id: 'call-3', output: 'src' }]);
    expect(guard.circuit).toMatchObject({ state: 'probation', clean: 0 });
    show(
      session().add(
        { type: 'tool-call', id: 'new', tool: 'list', input: {} },
        { type: 'tool-result', id: 'new', output: 'lib' },
      ),
    );
    expect(guard.circuit).toMatchObject({ state: 'probation', clean: 1 });
  });

  test('after a steer, so many clean calls close the circuit again', () => {
    const { guard, show } = guarded({ recovery: 3 });
    show(reads(3));
    show(steps(2));
    expect(guard.circuit).toMatchObject({ state: 'probation', clean: 2 });
    show(steps(1));
    expect(guard.circuit).toEqual({ state: 'closed', trips: 1 });
  });
});

describe('steering', () => {
  test('after a steer the detectors do not forget: one more round is fresh evidence and escalates', () => {
    const { show } = guarded({ policy: ladder({ steers: 1 }) });
    expect(show(reads(3)).endsWith('steer')).toBe(true);
    expect(show(session().steer('You have read this file three times.').call('read_file', { path: 'a' }))).toBe(
      'allow stop',
    );
  });

  test('a message of ours is never evidence, whatever it says', () => {
    fc.assert(
      fc.property(
        sessions(),
        fc.array(fc.tuple(fc.nat(300), fc.constantFrom('-'.repeat(100), 'read_file', '')), { maxLength: 8 }),
        (events, steers) => {
          const plain = guarded({ policy: ladder({ steers: 3 }) });
          const steered = guarded({ policy: ladder({ steers: 3 }) });
          events.forEach((event, k) => {
            for (const [at, text] of steers)
              if (at % events.length === k) steered.guard.observe({ type: 'steer', text });
            expect(steered.guard.observe(event).type).toBe(plain.guard.observe(event).type);
          });
          expect(steered.guard.circuit.state).toBe(plain.guard.circuit.state);
        },
      ),
    );
  });
});

describe('releasing', () => {
  test('after "continue" the detectors forget: the same loop must build up again to trip', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    expect(show(reads(3)).endsWith('ask')).toBe(true);
    guard.release({ type: 'continue' });
    expect(guard.circuit).toEqual({ state: 'closed', trips: 1 });
    expect(guard.verdict).toEqual({ status: 'clear' });
    expect(show(reads(2))).toBe('allow allow allow allow');
    expect(show(reads(1))).toBe('allow ask');
  });

  test.each([
    ['release: how.type must be continue or hint or exempt or disable, got "stop"', { type: 'stop' }],
    ['release: how must be of type object, got "continue"', 'continue'],
    ['release: how must be of type object, got undefined', undefined],
    ['exempt: an exemption names a tool or a kind of loop', { type: 'exempt', tool: 5n }],
  ])('what is no release leaves the agent halted: %s', (message, how) => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    show(reads(3));
    expect(() => guard.release(how as Release)).toThrow(message);
    expect(guard.circuit.state).toBe('open');
  });

  test('a hint releases like "continue", and is itself no evidence', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    show(reads(3));
    guard.release({ type: 'hint' });
    expect(
      show(
        session()
          .steer('Look at b instead.')
          .add(...reads(2).events),
      ),
    ).toBe('allow allow allow allow allow');
  });

  test('an exempted tool never trips again, but others do', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    show(reads(3));
    guard.release({ type: 'exempt', tool: 'read_file' });
    expect(show(reads(20))).not.toMatch(/ask|steer|block|stop/);
    expect(show(listing(3)).endsWith('ask')).toBe(true);
  });

  test('a kind of loop can be exempted', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    expect(show([{ type: 'text', text: '-'.repeat(50) }])).toBe('ask');
    guard.release({ type: 'exempt', kind: 'chanting' });
    expect(show([{ type: 'text', text: '-'.repeat(50) }])).toBe('allow');
  });

  test('disabled means silent for the rest of the session, new requests included', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    show(reads(3));
    guard.release({ type: 'disable' });
    expect(guard.disabled).toBe(true);
    expect(
      show(
        reads(10)
          .prompt()
          .add(...reads(10).events),
      ),
    ).toMatch(/^allow( allow)*$/);
    expect(resumeGuard({ detectors }, guard.snapshot()).disabled).toBe(true);
  });
});

describe('faults', () => {
  test('whatever is shown, the answer is a decision, and nothing throws', () => {
    const anything = fc.oneof(hostileEvents(), wrongShapes() as fc.Arbitrary<AgentEvent>);
    fc.assert(
      fc.property(sessions(), fc.array(anything, { maxLength: 10 }), (events, others) => {
        const { guard } = guarded();
        for (const event of [...others, ...events, ...others]) expect(isDecision(guard.observe(event))).toBe(true);
      }),
      { numRuns: 50 },
    );
    const trap = new Proxy({}, { get: () => fail('do not look') });
    expect(guarded().guard.observe(trap as AgentEvent)).toEqual({ type: 'allow' });
  });

  test('whatever object is in an event, or in place of one, nothing of it is kept, and nothing throws or reads for ever', () => {
    for (const [name, value] of [...Object.entries(hostileObjects), ['a big integer', () => 7n] as const]) {
      const { guard, show } = guarded();
      const events = [
        () => ({ type: 'tool-call', id: value(), tool: 'list', input: {} }),
        () => ({ type: 'tool-result', id: value(), output: '', lane: 'helper' }),
        () => ({ type: 'tool-call', id: value(), tool: value(), input: value(), lane: value() }),
        () => ({ type: 'tool-call', id: '1', tool: 'list', input: value() }),
        () => ({ type: 'prompt', text: value(), lane: value() }),
        () => ({ type: value() }),
        value,
      ];
      for (const event of events) expect(isDecision(guard.observe(event() as AgentEvent))).toBe(true);
      expect(JSON.stringify(guard.snapshot()).length).toBeLessThan(10_000);
      expect([name, show(reads(4))]).toEqual([name, expect.stringContaining('steer')]);
    }
  });

  test('a policy that throws, or gives no decision, is reported and the agent goes on', () => {
    const nonsense = [
      undefined,
      null,
      7,
      {},
      { type: 'shout' },
      { type: 'steer' },
      { type: 'ask' },
      { type: 'stop', reason: 'It comes without findings.' },
      { type: 'allow', would: { type: 'stop' } },
    ] as unknown as Decision[];
    const policies = [() => fail('no policy today'), ...nonsense.map((answer) => () => answer)];
    for (const policy of policies) {
      const { faults, show } = guarded({ policy });
      expect(show(reads(3))).toMatch(/^allow( allow)*$/);
      expect(faults).toMatchObject([{ where: 'guard', seq: 5 }]);
    }
  });

  test('a listener that throws is reported and does not matter', () => {
    const { faults, show } = guarded({ onFinding: () => fail('the screen is gone') });
    expect(show(reads(3)).endsWith('steer')).toBe(true);
    expect(faults).toMatchObject([{ where: 'guard', cause: new Error('the screen is gone') }]);
    const deaf = guarded({ onFinding: () => fail('gone'), onFault: () => fail('gone too') });
    expect(deaf.show(reads(3)).endsWith('steer')).toBe(true);
  });
});

describe('snapshots', () => {
  const options: GuardOptions = { detectors, policy: ladder({ steers: 2, last: 'ask' }), recovery: 2 };

  test('a snapshot at any event, through JSON, has the same future', () => {
    fc.assert(
      fc.property(sessions(), fc.nat(9999), (events, share) => {
        const at = Math.floor((share / 10_000) * events.length);
        const whole = createGuard(options);
        const expected = decisionsOf(whole, events);
        const first = createGuard(options);
        decisionsOf(first, events.slice(0, at));
        const second = resumeGuard(options, throughJson(first.snapshot()));
        expect(decisionsOf(second, events.slice(at))).toEqual(expected.slice(at));
        expect(second.snapshot()).toEqual(whole.snapshot());
      }),
    );
  });

  test('a session that goes on elsewhere after every event is the same, whatever is done in whichever lane and order', () => {
    type Act = { readonly release: Release } | { readonly events: readonly AgentEvent[] };
    const lane = fc.constantFrom(undefined, undefined, '', 'a', '__proto__', 'constructor', '\ud800', 'x'.repeat(500));
    const releases = fc.constantFrom<Release>(
      { type: 'continue' },
      { type: 'hint' },
      { type: 'exempt', tool: 'read_file' },
      { type: 'exempt', tool: '*', containing: 'a.ts' },
      { type: 'exempt', kind: 'chanting' },
    );
    const events = fc.oneof(
      sessions({ maxParts: 2 }),
      hostileEvents().map((event) => [event]),
    );
    const acts = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(events, lane).map(([shown, name]): Act => ({ events: inLane(name, shown) })) },
      { weight: 1, arbitrary: releases.map((release): Act => ({ release })) },
    );
    const policy = fc.constantFrom(ladder(), ladder({ steers: 1, rewinds: 1, escalations: 1 }), shadow, interactive);
    const capped = () => [budget({ hard: { tokens: 1e6 }, soft: { turns: 3 } }), opinion(), sameAnswer];
    const presets = fc.constantFrom<() => readonly Detector[]>(balanced, geminiCli, capped);
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 6 }), policy, presets, (all, how, make) => {
        const faults: Fault[] = [];
        const options: GuardOptions = {
          detectors: make(),
          policy: how,
          recovery: 2,
          onFault: (fault) => faults.push(fault),
        };
        const here = createGuard(options);
        let elsewhere = createGuard(options);
        for (const act of all) {
          if ('release' in act) {
            here.release(act.release);
            elsewhere.release(act.release);
          } else
            for (const event of act.events) {
              const expected = here.observe(event);
              expect(elsewhere.observe(event)).toEqual(expected);
              expect(elsewhere.verdict).toEqual(here.verdict);
              elsewhere = resumeGuard(options, throughJson(elsewhere.snapshot()));
            }
          expect(elsewhere.snapshot()).toEqual(here.snapshot());
        }
        expect(faults).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('calls under way are known as such when the session goes on elsewhere', () => {
    const start = session()
      .add(...reads(2).events)
      .repeat(3, (s) => s.call('read_file', { path: 'a' }));
    const guard = createGuard(options);
    decisionsOf(guard, start.events);
    const answered = start.result('one').result('one').result('one').events.slice(start.events.length);
    const [first, ...late] = answered;
    const second = resumeGuard(options, throughJson(guard.snapshot()));
    expect(second.observe(first!).type).toBe('steer');
    const third = resumeGuard(options, throughJson(second.snapshot()));
    expect(typesOf(third, late)).toBe('allow allow');
  });

  test('a halted agent stays halted when the session goes on elsewhere, with the same question', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0, last: 'ask' }) });
    show(reads(3));
    const question = guard.observe({ type: 'turn-start' });
    const other = resumeGuard(options, throughJson(guard.snapshot()));
    expect(other.observe({ type: 'turn-start' })).toEqual(question);
    other.release({ type: 'continue' });
    expect(typesOf(other, reads(2))).toBe('allow allow allow allow');
  });

  test('whatever became of a snapshot, the guard answers with decisions and works', () => {
    fc.assert(
      fc.property(sessions(), poisons(), sessions(), (before, poison, after) => {
        const healthy = createGuard(options);
        decisionsOf(healthy, before);
        const { disabled: _, watch, ...saved } = throughJson(healthy.snapshot());
        const guard = resumeGuard(options, {
          ...(poisoned(saved as unknown as Json, poison) as object),
          watch,
        } as GuardSnapshot);
        for (const event of after) expect(isDecision(guard.observe(event))).toBe(true);
        JSON.stringify(guard.snapshot());
        guard.release({ type: 'continue' });
        guard.observe({ type: 'retry' });
        expect(
          typesOf(
            guard,
            session()
              .prompt()
              .add(...reads(3).events),
          ).endsWith(' allow steer'),
        ).toBe(!guard.disabled);
      }),
      { numRuns: 150 },
    );
  });

  test('a snapshot of a version that is not known is refused, and the fault says which was expected', () => {
    const faults: Fault[] = [];
    const saved = throughJson(createGuard(options).snapshot());
    const strange = { ...saved, version: 3, watch: { ...saved.watch, version: 3 } } as unknown as GuardSnapshot;
    resumeGuard({ ...options, onFault: (fault) => faults.push(fault) }, strange);
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('expected a snapshot of version 2, got version 3'),
      expect.stringContaining('expected a snapshot of version 2, got version 3'),
    ]);
  });

  test('what is broken is reported, and what is no snapshot gives a new guard', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0 }) });
    show(reads(3));
    const saved = throughJson(guard.snapshot());
    for (const broken of [
      { ...saved, circuit: { state: 'ajar' } },
      { ...saved, circuit: { ...saved.circuit, decision: { type: 'stop', reason: '', findings: [{}] } } },
      { ...saved, circuit: { ...saved.circuit, decision: { type: 'shout' } } },
      { ...saved, version: 3 },
    ]) {
      const faults: Fault[] = [];
      const other = resumeGuard(
        { ...options, onFault: (fault) => faults.push(fault) },
        broken as unknown as GuardSnapshot,
      );
      expect(other.circuit.state).toBe('closed');
      expect(faults).toMatchObject([{ where: 'snapshot' }]);
    }
    for (const nothing of [undefined, null, 7, [], {}]) {
      const faults: Fault[] = [];
      const other = resumeGuard(
        { ...options, onFault: (fault) => faults.push(fault) },
        nothing as unknown as GuardSnapshot,
      );
      expect(faults.length).toBeGreaterThan(0);
      expect(typesOf(other, reads(3)).endsWith('steer')).toBe(true);
    }
  });
});

describe('lanes', () => {
  test('a call is known by its id within its lane: other ids for the calls of a sub-agent change nothing', () => {
    const looping = sessions({ scenes: [reads(6).events, listing(6).events], maxParts: 3 });
    const order = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    const policy = fc.constantFrom(ladder(), ladder({ steers: 1, rewinds: 2 }), ladder({ steers: 9 }));
    fc.assert(
      fc.property(looping, looping, order, policy, (main, helper, turns, how) => {
        const options: GuardOptions = { detectors, policy: how, recovery: 2 };
        const alike = interleave([main, helper], turns).map(({ side, event }) =>
          side === 0 ? event : { ...event, lane: 'helper' },
        );
        const apart = alike.map((event) =>
          'id' in event && event.lane !== undefined ? { ...event, id: `helper ${event.id}` } : event,
        );
        expect(decisionsOf(createGuard(options), alike)).toEqual(decisionsOf(createGuard(options), apart));
      }),
      { numRuns: 300 },
    );
  });

  test('the result of a refused call does not end what is being said in another lane', () => {
    const words = 'I will look at the file once more. '.repeat(60);
    const seenAt = (helper: readonly AgentEvent[]) => {
      const guard = createGuard({ detectors: [sameAnswer, chanting()], policy: ladder({ steers: 9 }) });
      decisionsOf(guard, helper.slice(0, -1));
      for (let k = 0; k < words.length; k++) {
        if (k === 200) decisionsOf(guard, helper.slice(-1));
        if (guard.observe({ type: 'text', text: words[k]! }).type !== 'allow') return k;
      }
      return undefined;
    };
    expect(seenAt([])).toBeGreaterThan(200);
    expect(seenAt(inLane('helper', reads(4).events))).toBe(seenAt([]));
  });

  test('a call is refused for the loop of its own lane, not for that of another', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 9 }) });
    expect(show(inLane('helper', reads(3).events)).endsWith('steer')).toBe(true);
    expect(show(listing(3)).endsWith('steer')).toBe(true);
    const told = decisionsOf(guard, inLane('helper', reads(1).events)).filter((decision) => decision.type !== 'allow');
    expect(told).toMatchObject([{ type: 'steer', findings: [{ lane: 'helper', tools: ['read_file'] }] }]);
  });

  test('the main lane has no name, or an empty one', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 0 }) });
    expect(show(inLane('', reads(3).events)).endsWith('stop')).toBe(true);
    expect(guard.observe({ type: 'prompt', text: 'Something else.', lane: '' })).toEqual({ type: 'allow' });
  });
});

describe('ids that come again', () => {
  const once = (path: string, output = 'one'): AgentEvent[] => [
    { type: 'tool-call', id: '1', tool: 'list', input: { path } },
    { type: 'tool-result', id: '1', output },
  ];

  test('a call under the id of a refused one that got no result is a new call, and its result is evidence', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 9 }) });
    show(reads(3));
    const refused = guard.observe({ type: 'tool-call', id: '1', tool: 'read_file', input: { path: 'a' } });
    expect(refused.type).toBe('block');
    expect(show([...once('b'), ...once('b'), ...once('b')])).toBe('allow allow allow allow allow steer');
  });

  test('a call under the id of one that was under way at a steer is a new call, and its result is a sign of recovery', () => {
    const { guard, show } = guarded({ policy: ladder({ steers: 9 }) });
    show(reads(2));
    show([{ type: 'tool-call', id: '1', tool: 'list', input: {} }]);
    expect(show(reads(1)).endsWith('steer')).toBe(true);
    show(once('b', 'other'));
    expect(guard.circuit).toMatchObject({ state: 'probation', clean: 1 });
  });
});

function throughJson(snapshot: GuardSnapshot): GuardSnapshot {
  return JSON.parse(JSON.stringify(snapshot)) as GuardSnapshot;
}

function fail(message: string): never {
  throw new Error(message);
}
